from __future__ import annotations

import unicodedata

import pytest

from kernelindex_schema.rules.accelerators import architectures_of, spelt

ARCHITECTURE = "spec.hardware.architecture"


@pytest.mark.parametrize(
    "licence",
    [
        *("Apache-2.0", "apache-2.0", "MIT", "BSD-2-Clause", "0BSD", "GPL-3.0-only", "CC-BY-4.0", "BSL-1.0"),
        *("MIT OR Apache-2.0", "(MIT OR Apache-2.0) AND BSD-3-Clause", "Apache-2.0 WITH LLVM-exception"),
        *("LicenseRef-NVIDIA-Proprietary", "DocumentRef-x:LicenseRef-y", "NOASSERTION", "NONE", "unknown", "Unknown"),
    ],
)
def test_licences(desk, licence: str) -> None:
    licensing = {"declared": licence, "concluded": licence}
    assert desk.told(desk.manifest("ImplementationRevision", licensing=licensing)) == []


@pytest.mark.parametrize(
    ("licence", "meant"),
    [
        ("Apache 2.0", "; did you mean Apache-2.0?"),
        ("The MIT License", "; did you mean MIT?"),
        ("BSD", "; did you mean BSD-3-Clause?"),
        ("GPLv3", "; did you mean GPL-3.0-only?"),
        ("MIT AND", ""),
        ("see LICENSE", ""),
        ("", ""),
    ],
)
def test_what_is_no_licence_expression(desk, licence: str, meant: str) -> None:
    implementation = desk.manifest("ImplementationRevision", licensing={"declared": "MIT", "concluded": licence})
    assert desk.told(implementation) == [("KIX701", "spec.licensing.concluded")]
    message = f'spec.licensing.concluded is "{licence}", which is no SPDX licence expression{meant}'
    assert desk.messages(implementation) == [message]
    stack = desk.manifest("ServingStackRevision", license=licence)
    assert desk.told(stack) == [("KIX701", "spec.license")]


def test_licences_of_models_are_left_alone(desk) -> None:
    assert desk.told(desk.manifest("ModelRevision", license="llama3.1")) == []


COMMIT = "2120862ba532c9449e72d603ba6324310ae756e7"
REPOSITORY = "https://github.com/linkedin/Liger-Kernel"


@pytest.mark.parametrize(
    ("install", "missing"),
    [
        ({"kind": "git"}, "repository and commit"),
        ({"kind": "git", "commit": COMMIT}, "repository"),
        ({"kind": "git", "repository": REPOSITORY}, "commit"),
        ({"kind": "git", "repository": REPOSITORY, "commit": COMMIT}, None),
        ({"kind": "pip"}, "package"),
        ({"kind": "pip", "version": "0.2.1"}, "package"),
        ({"kind": "pip", "package": "liger-kernel"}, None),
        ({"kind": "package"}, None),
        ({"kind": "container"}, None),
        ({"kind": "source"}, None),
    ],
)
def test_install_recipes(desk, install: dict[str, str], missing: str | None) -> None:
    variants = [{"name": "pip", "install": {"kind": "pip", "package": "a"}}, {"name": "b", "install": install}]
    implementation = desk.manifest("ImplementationRevision", buildVariants=variants)
    place = "spec.buildVariants[1].install"
    messages = [f"{place} is a {install['kind']} recipe without {missing}"] if missing else []
    assert desk.messages(implementation) == messages


def environment(desk, vendor: str, product: str, architecture: str):
    hardware = {"vendor": vendor, "product": product, "architecture": architecture}
    return desk.manifest("ExecutionEnvironment", hardware=hardware)


@pytest.mark.parametrize(
    ("product", "architecture"),
    [
        *(("NVIDIA A100", "sm_80"), ("NVIDIA A100-SXM4-80GB MIG 1g.10gb", "sm_80"), ("NVIDIA H100 80GB HBM3", "sm_90")),
        *(
            ("NVIDIA H100 PCIe", "sm_90"),
            ("NVIDIA H200", "sm_90"),
            ("NVIDIA B200", "sm_100"),
            ("NVIDIA GB200", "sm_100"),
        ),
        *(
            ("NVIDIA B300 SXM6 AC", "sm_103"),
            ("NVIDIA GB10", "sm_121"),
            ("NVIDIA H20", "sm_90"),
            ("NVIDIA L4", "sm_89"),
        ),
        *(("NVIDIA GeForce RTX 3090", "sm_86"), ("NVIDIA GeForce RTX 4070 Ti SUPER", "sm_89"), ("RTX4090", "sm_89")),
        *(("NVIDIA GeForce RTX 5090", "sm_120"), ("NVIDIA GeForce RTX 2080 Ti", "sm_75"), ("Tesla T4", "sm_75")),
        *(("Tesla V100-SXM2-32GB", "sm_70"), ("NVIDIA A10G", "sm_86"), ("NVIDIA A40", "sm_86"), ("Tesla P40", "sm_61")),
    ],
)
def test_nvidia_products(product: str, architecture: str) -> None:
    assert architectures_of("nvidia", product)[0] == architecture


@pytest.mark.parametrize(
    "product",
    [
        *(
            "NVIDIA RTX 6000 Ada Generation",
            "Quadro RTX 6000",
            "NVIDIA RTX A6000",
            "NVIDIA RTX 4000 SFF Ada Generation",
        ),
        *(
            "NVIDIA GeForce RTX 2050",
            "NVIDIA Graphics Device",
            "A100 and H100",
            "NVIDIA GeForce GTX 1080",
            "Jetson Orin",
        ),
        *("NVIDIA RTX PRO 6000 Blackwell", "NVIDIA RTX 5000 Ada Generation", ""),
    ],
)
def test_products_that_are_not_judged(product: str) -> None:
    assert architectures_of("nvidia", product) == ()
    assert architectures_of("intel", "NVIDIA A100") == ()


@pytest.mark.parametrize(
    ("product", "architecture"),
    [("AMD Instinct MI300X", "gfx942"), ("AMD Instinct MI250X", "gfx90a"), ("AMD Instinct MI355X", "gfx950")],
)
def test_amd_products(desk, product: str, architecture: str) -> None:
    assert desk.told(environment(desk, "amd", product, architecture)) == []
    assert desk.told(environment(desk, "amd", product, "gfx908")) == [("KIX703", ARCHITECTURE)]


@pytest.mark.parametrize("architecture", ["sm_90", "sm_90a", "sm90", "compute_90", "hopper"])
def test_spellings_of_an_architecture(desk, architecture: str) -> None:
    assert desk.told(environment(desk, "nvidia", "NVIDIA H100 PCIe", architecture)) == []


@pytest.mark.parametrize("architecture", ["sm_80", "sm_89", "sm_100", "ampere", "gfx942", "sm_200"])
def test_an_architecture_that_contradicts_the_product(desk, architecture: str) -> None:
    assert desk.told(environment(desk, "nvidia", "NVIDIA H100 PCIe", architecture)) == [("KIX703", ARCHITECTURE)]


@pytest.mark.parametrize(
    ("vendor", "architecture", "instead"),
    [
        ("nvidia", "unknown", "; NVIDIA B200 is sm_100"),
        ("nvidia", "sm_10", "; NVIDIA B200 is sm_100"),
        ("nvidia", "b200", "; NVIDIA B200 is sm_100"),
        ("amd", "instinct", ""),
        ("intel", "unknown", ""),
    ],
)
def test_what_names_no_architecture(desk, vendor: str, architecture: str, instead: str) -> None:
    value = environment(desk, vendor, "NVIDIA B200", architecture)
    assert desk.told(value) == [("KIX704", ARCHITECTURE)]
    assert desk.messages(value) == [f"{ARCHITECTURE} is {architecture}, which names no architecture{instead}"]


def test_a_slip_in_the_number_suggests_the_nearest(desk) -> None:
    (message,) = desk.messages(environment(desk, "nvidia", "NVIDIA Next", "sm_91"))
    assert message.endswith("; did you mean sm_90?")


@pytest.mark.parametrize(
    ("vendor", "architecture"),
    [
        *(
            ("nvidia", "sm_130"),
            ("nvidia", "sm_200a"),
            ("nvidia", "blackwell"),
            ("nvidia", "maxwell"),
            ("nvidia", "rubin"),
        ),
        *(
            ("amd", "gfx1100"),
            ("amd", "gfx90a"),
            ("amd", "rdna4"),
            ("intel", "xe2"),
            ("apple", "m3"),
            ("google", "tpu_v5e"),
        ),
    ],
)
def test_architectures_taken_as_they_are(desk, vendor: str, architecture: str) -> None:
    assert desk.told(environment(desk, vendor, "Some Product", architecture)) == []


def test_usual_spellings() -> None:
    assert spelt("sm90a") == "sm_90"
    assert spelt("sm_7") is None
    assert spelt("sm_7500") is None


COMPOSED, DECOMPOSED = "caf\u00e9", "cafe\u0301"


def test_text_in_another_normal_form(desk) -> None:
    assert not unicodedata.is_normalized("NFC", DECOMPOSED)
    assert desk.told(desk.manifest("SoftwareProject", name=DECOMPOSED)) == [("KIX705", "spec.name")]
    assert desk.told(desk.manifest("SoftwareProject", name=COMPOSED)) == []


@pytest.mark.parametrize("text", ["rope/café-µ", "μs", "ﬁne", "½", "\u0301 first", "일본", "日本", "😀"])
def test_compatibility_characters_and_composed_text_stay(desk, text: str) -> None:
    assert desk.told(desk.manifest("SoftwareProject", name=unicodedata.normalize("NFC", text))) == []


def test_every_place_of_a_spec_is_looked_at_and_metadata_is_not(desk) -> None:
    variables = {COMPOSED: "1", f"{DECOMPOSED}_key": "1", "PLAIN": DECOMPOSED}
    value = desk.manifest("ExecutionEnvironment", settings={"environmentVariables": variables})
    assert [hit.path[3:] for hit in desk.only("KIX705", value)] == [(f"{DECOMPOSED}_key",), ("PLAIN",)]
    assert [hit.at_key for hit in desk.only("KIX705", value)] == [True, False]
    titled = desk.whole({"kind": "SoftwareProject", "metadata": {"title": DECOMPOSED}})
    assert desk.told(titled) == []
    caveats = desk.manifest("ServingRun", caveats=["plain", DECOMPOSED])
    assert desk.told(caveats) == [("KIX705", "spec.caveats[1]")]


@pytest.mark.parametrize(
    ("ways", "told"),
    [
        ({}, 0),
        ({"tensor": 8}, 0),
        ({"tensor": 8, "pipeline": 2}, 0),
        ({"tensor": 8, "pipeline": 4}, 1),
        ({"tensor": 32}, 1),
        ({"tensor": 8, "data": 8, "expert": 16}, 0),
        ({"expert": 32}, 1),
        ({"data": 17, "context": 17}, 1),
    ],
)
def test_parallelism_and_topology(desk, ways: dict[str, int], told: int) -> None:
    topology = {"acceleratorModel": "NVIDIA H200", "acceleratorsPerNode": 8, "nodeCount": 2}
    run = desk.manifest("ServingRun", topology=topology)
    configuration = desk.manifest("ServingConfiguration", parallelism=ways)
    hits = desk.only("KIX801", (run, configuration))
    assert [hit.path for hit in hits] == [("spec", "topology")] * told
    assert desk.only("KIX801", (run, desk.manifest("ServingConfiguration"))) == []
