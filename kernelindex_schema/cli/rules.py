"""``kix-schema rules`` and ``kix-schema explain``: the rule catalogue in words and as JSON."""

from __future__ import annotations

import click

from kernelindex_schema.cli.options import text_or_json
from kernelindex_schema.cli.streams import tell
from kernelindex_schema.cli.usage import command


@command("rules", "List every rule.")
@text_or_json
def rules(form: str) -> None:
    """List every rule: id, name, severity and what it says."""
    from kernelindex_schema.rules import RULES, rule_as_dict

    if form == "json":
        from kernelindex_schema.reports.json import pretty

        tell(pretty([rule_as_dict(rule) for rule in RULES.values()]))
        return
    names = max(len(rule.name) for rule in RULES.values())
    tell(
        "".join(
            f"{rule.id}  {rule.severity.value:<7}  {rule.name:<{names}}  {rule.summary}\n" for rule in RULES.values()
        )
    )


@command("explain", "Explain a rule.")
@click.argument("rule", metavar="ID")
@text_or_json
@click.pass_context
def explain(ctx: click.Context, rule: str, form: str) -> None:
    """Explain a rule: what it says, why, a bad and a good example, and the hint.

    ID is a rule's id, such as KIX401, or its name, such as source-time-disagrees.
    """
    from kernelindex_schema.rules import explain_text, find_rule, rule_as_dict

    try:
        found = find_rule(rule)
    except KeyError as error:
        raise click.UsageError(str(error.args[0]), ctx) from None
    if form == "json":
        from kernelindex_schema.reports.json import pretty

        tell(pretty(rule_as_dict(found)))
        return
    tell(explain_text(found))
