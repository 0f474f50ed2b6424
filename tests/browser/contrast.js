// WCAG 2.2, 1.4.3: 4.5 to 1, and 3 to 1 for large text. Colours that let the ground shine through are laid over it.
() => {
  const read = (text) => {
    const parts = text.match(/[\d.]+/g).map(Number);
    return text.startsWith("color(srgb") ? [...parts.slice(0, 3).map((each) => each * 255), parts[3] ?? 1]
      : [parts[0], parts[1], parts[2], parts[3] ?? 1];
  };
  const over = (top, below) => [0, 1, 2].map((i) => top[i] * top[3] + below[i] * (1 - top[3])).concat(1);
  const light = (colour) => {
    const [r, g, b] = colour.slice(0, 3).map((value) => {
      const part = value / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ground = (element) => {
    const layers = [];
    for (let each = element; each; each = each.parentElement) {
      layers.push(read(getComputedStyle(each).backgroundColor));
      if (layers.at(-1)[3] === 1) break;
    }
    return layers.reverse().reduce((below, layer) => over(layer, below), [255, 255, 255, 1]);
  };
  const poor = new Map();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  let seen = 0;
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || !element.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true })) continue;
    if (element.closest("script, style, noscript, svg title, svg desc, option")) continue;
    seen += 1;
    const style = getComputedStyle(element);
    const below = ground(element.closest("svg") ? element.closest("svg").parentElement : element);
    const colour = over(read(element.closest("svg") ? style.fill : style.color), below);
    const [high, low] = [light(colour), light(below)].sort((a, b) => b - a);
    const ratio = (high + 0.05) / (low + 0.05);
    const size = parseFloat(style.fontSize);
    const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    if (ratio < (large ? 3 : 4.5)) {
      const name = `${element.tagName.toLowerCase()}.${element.className}`;
      poor.set(name + style.color, `${name} ${style.color} on ${below}: ${ratio.toFixed(2)} (${walker.currentNode.data.trim().slice(0, 30)})`);
    }
  }
  return { seen, poor: [...poor.values()] };
}
