"""What one row of the Liger-Kernel benchmark CSV says, or why it is left out.

The tests come in the order of the registry's importer, so that a row with several faults is counted under the same
one. Where that importer reads an empty quantile as 0 ns, an impossible day as a later one or another unit as
milliseconds, the row is left out and told instead.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping

import msgspec

from kernelindex_schema.sources.liger_binding import Bound, bind, read_config, read_swept
from kernelindex_schema.sources.liger_table import Hardware, Kernel, Provider, Table
from kernelindex_schema.sources.source import Skip, brief
from kernelindex_schema.v1alpha1.scalars import MAX_SAFE_INTEGER

__all__ = ["COLUMNS", "Reading", "read_row"]

COLUMNS = (
    "kernel_name",
    "kernel_provider",
    "kernel_operation_mode",
    "metric_name",
    "metric_unit",
    "x_name",
    "x_label",
    "x_value",
    "y_value_50",
    "y_value_20",
    "y_value_80",
    "extra_benchmark_config_str",
    "gpu_name",
    "timestamp",
    "liger_version",
)

_DECIMAL = re.compile(r"-?[0-9]+(\.[0-9]+)?")
_TIMESTAMP = re.compile(
    r"([0-9]{4}-[0-9]{2}-[0-9]{2})[ T]((?:[01][0-9]|2[0-3]):[0-9]{2})(:[0-9]{2})?"
    r"(?:\.([0-9]+))?(Z|[+-][0-9]{2}:[0-5][0-9])?"
)


class Reading(msgspec.Struct, frozen=True, kw_only=True):
    """A row that is imported."""

    kernel: Kernel
    provider: Provider
    mode: str
    hardware: Hardware
    bound: Bound
    median_ms: float
    spread_ms: tuple[float, float] | None
    """p20 and p80; None where the row lacks either."""
    timestamp: str
    observed_at: str
    liger_version: str
    remarks: tuple[tuple[str, str, str], ...]


def read_row(table: Table, row: Mapping[str, str]) -> Reading:
    """Read a row.

    Raises:
        Skip: nothing of it is to be imported.
    """
    metric = row["metric_name"]
    if metric != "speed":
        raise Skip("not-speed", f"metric_name is {brief(metric)}: only speed is imported", column="metric_name")
    kernel = table.kernels.get(row["kernel_name"])
    if kernel is None:
        raise _unknown("kernel", "kernel_name", row)
    if row["kernel_operation_mode"] not in table.protocol.modes:
        raise _unknown("mode", "kernel_operation_mode", row)
    provider = table.providers.get(row["kernel_provider"])
    if provider is None:
        raise _unknown("provider", "kernel_provider", row)
    config = read_config(row["extra_benchmark_config_str"])
    bound = bind(table, kernel, row["x_name"], read_swept(row["x_value"]), config)
    hardware = table.hardware.get(row["gpu_name"])
    if hardware is None:
        raise _unknown("gpu", "gpu_name", row)
    if row["metric_unit"] != "ms":
        message = f"metric_unit is {brief(row['metric_unit'])}: the figures of a speed row are milliseconds"
        raise Skip("unit-not-ms", message, column="metric_unit", rule="KIX201")
    median = _median(row["y_value_50"])
    spread, remarks = _spread(row, median)
    return Reading(
        kernel=kernel,
        provider=provider,
        mode=row["kernel_operation_mode"],
        hardware=hardware,
        bound=bound,
        median_ms=median,
        spread_ms=spread,
        timestamp=row["timestamp"],
        observed_at=_observed_at(row["timestamp"]),
        liger_version=row["liger_version"],
        remarks=remarks,
    )


def _unknown(what: str, column: str, row: Mapping[str, str]) -> Skip:
    return Skip(f"unknown-{what}", f"{column} {brief(row[column])} is not in the table of {what}s", column=column)


def _milliseconds(text: str) -> float | tuple[str, str]:
    """A finite number; otherwise the rule that tells and what is wrong."""
    if not _DECIMAL.fullmatch(text):
        if text.strip().lower().lstrip("+-") in ("nan", "inf", "infinity"):
            return "KIX009", f"is {brief(text)}"
        return "KIX106", f"is {brief(text)}, no plain decimal number" if text else "is empty"
    value = float(text)
    if not math.isfinite(value * 1e6) or value * 1e6 > MAX_SAFE_INTEGER:
        return "KIX107", f"is over {MAX_SAFE_INTEGER} ns"
    return value


def _median(text: str) -> float:
    median = _milliseconds(text)
    if isinstance(median, float) and median > 0:
        return median
    rule, detail = ("KIX107", f"is {brief(text)}") if isinstance(median, float) else median
    message = f"y_value_50 {detail}: expected a median in milliseconds above 0"
    raise Skip("bad-median", message, column="y_value_50", rule=rule)


def _spread(
    row: Mapping[str, str], median: float
) -> tuple[tuple[float, float] | None, tuple[tuple[str, str, str], ...]]:
    figures: list[float] = []
    remarks = []
    for column in ("y_value_20", "y_value_80"):
        value = _milliseconds(row[column])
        if not isinstance(value, float):
            message = f"{column} {value[1]}: the run is imported without p20 and p80"
            remarks.append(("KIX402", column, message))
            continue
        if value < 0:
            message = f"{column} is {brief(row[column])}: no latency is negative"
            raise Skip("bad-quantile", message, column=column, rule="KIX107")
        if (value > median) if column == "y_value_20" else (value < median):
            relation = "above" if column == "y_value_20" else "below"
            message = (
                f"{column} is {brief(row[column])}, {relation} the median y_value_50 of {brief(row['y_value_50'])}"
            )
            raise Skip("bad-quantile", message, column=column, rule="KIX304")
        figures.append(value)
    return (figures[0], figures[1]) if len(figures) == 2 else None, tuple(remarks)


def _observed_at(text: str) -> str:
    """The instant of a timestamp, in UTC with milliseconds; one without a zone is in UTC."""
    from datetime import UTC, datetime

    match = _TIMESTAMP.fullmatch(text)
    if match is not None and (match[3] or not match[4]):
        day, minute, second, fraction, zone = match.groups()
        try:
            moment = datetime.fromisoformat(f"{day}T{minute}{second or ':00'}{(zone or 'Z').replace('Z', '+00:00')}")
            moment = moment.astimezone(UTC)
        except (ValueError, OverflowError):
            pass
        else:
            # Cut to milliseconds, as the registry's importer does.
            return f"{moment.isoformat()[:19]}.{(fraction or '')[:3]:0<3}Z"
    message = f"timestamp is {brief(text)}, expected a real date and time such as 2024-09-03 15:40:08"
    raise Skip("bad-timestamp", message, column="timestamp", rule="KIX106")
