// Canonical form (RFC 8785) and digest. Numbers are written as ECMAScript writes them and keys sort by UTF-16 units,
// which is what the RFC asks for.

export function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value === "object" && value !== null) {
    const members = Object.keys(value).sort();
    return `{${members.map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`).join(",")}}`;
  }
  return JSON.stringify(value);
}

/** The text that the digest of a normalised manifest is taken over. */
export const canonicalManifest = ({ apiVersion, kind, spec }) => canonical({ apiVersion, kind, spec });

export async function digest(text) {
  const bytes = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return `sha256:${Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}
