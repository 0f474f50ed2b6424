"""KIX8: serving runs.

The check of subject ``serving run with configuration`` is given the pair ``(run, configuration)``: a ServingRun and the
ServingConfiguration that its ``configurationDigest`` names. Paths are those of the run.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import UNSET

from kernelindex_schema.findings import Severity
from kernelindex_schema.rules.catalogue import Context, Hit, hit, rule
from kernelindex_schema.v1alpha1 import ServingConfiguration, ServingRun


@rule(
    "KIX801",
    "parallelism-exceeds-topology",
    Severity.WARNING,
    on="serving run with configuration",
    message="{path} has {accelerators} accelerators, but the configuration's {ways}",
    hint="correct acceleratorsPerNode or nodeCount, or the configuration's parallelism",
    source="design, Rules",
)
def parallelism_exceeds_topology(pair: tuple[ServingRun, ServingConfiguration], context: Context) -> Iterator[Hit]:
    """A run's configuration spreads the model over more accelerators than the run's topology has.

    Why: it cannot have run like that. Tensor and pipeline parallelism multiply. Stacks differ in whether data, expert
    and context parallelism reuse the same accelerators, so each of these is held against the topology by itself.

    Bad:
    ```yaml
    kind: ServingConfiguration
    spec:
      parallelism: {tensor: 8, pipeline: 2}
    ---
    kind: ServingRun
    spec:
      topology: {acceleratorModel: NVIDIA H200-SXM-141GB, acceleratorsPerNode: 8, nodeCount: 1}
    ```

    Good:
    ```yaml
    kind: ServingConfiguration
    spec:
      parallelism: {tensor: 8, pipeline: 2}
    ---
    kind: ServingRun
    spec:
      topology: {acceleratorModel: NVIDIA H200-SXM-141GB, acceleratorsPerNode: 8, nodeCount: 2}
    ```
    """
    run, configuration = pair
    ways = configuration.spec.parallelism
    if ways is UNSET:
        return
    topology = run.spec.topology
    accelerators = topology.accelerators_per_node * topology.node_count
    tensor, pipeline = ways.tensor or 1, ways.pipeline or 1
    too_many = []
    if tensor * pipeline > accelerators:
        too_many.append(f"tensor {tensor} times pipeline {pipeline} needs {tensor * pipeline}")
    for name, count in (("data", ways.data), ("expert", ways.expert), ("context", ways.context)):
        if count is not UNSET and count > accelerators:
            too_many.append(f"{name} {count} needs as many")
    if too_many:
        yield hit("spec", "topology", accelerators=accelerators, ways=" and ".join(too_many))
