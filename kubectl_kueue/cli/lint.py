"""`lint`: what is wrong with manifests, before or after they are applied."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from kubectl_kueue.cli.flags import command, new_app, session_of
from kubectl_kueue.cli.names import near
from kubectl_kueue.errors import ConfigError, UsageError

if TYPE_CHECKING:
    from kubectl_kueue.cli.session import Session
    from kubectl_kueue.lint.catalogue import Rule
    from kubectl_kueue.views.lint import Linted

app = new_app()


@command(app)
def lint(
    context: typer.Context,
    files: Annotated[
        list[str] | None,
        typer.Option("--filename", "-f", metavar="FILE|DIR|-", help="Manifests; can be given again."),
    ] = None,
    live: Annotated[bool, typer.Option("--live", help="Look references up in the cluster.")] = False,
    fix: Annotated[bool, typer.Option("--fix", help="Write the files with every patch made.")] = False,
    strict: Annotated[bool, typer.Option("--strict", help="Exit with 1 if there are warnings.")] = False,
    select: Annotated[
        list[str] | None,
        typer.Option("--select", metavar="RULE", help="Only these rules; can be given again."),
    ] = None,
    disable: Annotated[
        list[str] | None,
        typer.Option("--disable", metavar="RULE", help="Not these rules; can be given again."),
    ] = None,
    explain: Annotated[
        str | None, typer.Option("--explain", metavar="RULE", help="Say what a rule is about.")
    ] = None,
    rules: Annotated[bool, typer.Option("--rules", help="List the rules.")] = False,
) -> None:
    """Find what is wrong with manifests, each alone and all together.

    Manifests of Kueue and of jobs: fields, types, quantities and the rules of Kueue's webhooks; old versions;
    references, quotas and flavors across all files, and with --snapshot or --live against a cluster. Without
    -f the objects of the snapshot or cluster themselves are looked at. Besides the formats of every command
    there are -o sarif, junit and patch.

    Exit codes: 2 if there are errors, 1 with --strict if there are warnings, else 0; 1 as well if it could
    not be run (a wrong command line, a file that is not there).

    \b
    Examples:
      kubectl kueue lint -f k8s/
      kubectl kueue lint -f queues.yaml --live --strict
      kubectl kueue lint -f . -o sarif > kueue.sarif
      kubectl kueue lint -f old.yaml --fix
      kubectl kueue lint --explain cohort-limit
    """
    session = session_of(context)
    session.check_output("junit", "patch", "sarif")
    if explain is not None:
        _explain(session, explain)
    elif rules:
        _list_rules(session)
    else:
        _lint(session, files or [], live=live, fix=fix, strict=strict, chosen=_chosen(select, disable))


def _explain(session: "Session", name: str) -> None:
    from kubectl_kueue.views.lint import rule_document, rule_page

    rule = _rule(name)
    session.emit(page=lambda: rule_page(rule), document=lambda: rule_document(rule))


def _list_rules(session: "Session") -> None:
    from kubectl_kueue.views.lint import rules_document, rules_page

    session.emit(page=rules_page, document=rules_document)


def _rule(name: str) -> "Rule":
    from kubectl_kueue.lint.catalogue import RULES, rule_named

    rule = rule_named(name)
    if rule is None:
        raise UsageError(f'unknown rule "{name}"{near(name.lower(), RULES) or "; lint --rules lists them"}')
    return rule


def _chosen(select: Sequence[str] | None, disable: Sequence[str] | None) -> frozenset[str]:
    """The rules that count; names may be given with commas between them."""
    from kubectl_kueue.lint.catalogue import RULES

    def named(texts: Sequence[str] | None) -> set[str]:
        return {_rule(name.strip()).id for text in texts or () for name in text.split(",") if name.strip()}

    wanted = named(select) or set(RULES)
    return frozenset(wanted - named(disable))


def _lint(
    session: "Session", files: Sequence[str], *, live: bool, fix: bool, strict: bool, chosen: frozenset[str]
) -> None:
    _check_sources(session, files, live=live, fix=fix)

    from kubectl_kueue.cli.linting import run_lint
    from kubectl_kueue.views.lint import lint_document, lint_page

    linted = run_lint(session, files, live=live, fix=fix, chosen=chosen)._replace(strict=strict)
    session.exit_code = _exit_code(linted)
    session.emit(page=lambda: lint_page(linted), document=lambda: lint_document(linted))


def _check_sources(session: "Session", files: Sequence[str], *, live: bool, fix: bool) -> None:
    snapshot = session.flags.snapshot
    if live and snapshot is not None:
        raise ConfigError("--live and --snapshot exclude each other")
    if not files and not live and snapshot is None:
        raise UsageError("nothing to look at: pass -f FILE|DIR|-, --snapshot FILE or --live")
    session.check_files(files)
    if fix and (not files or "-" in files):
        raise ConfigError(
            "--fix writes files, and needs some (-f FILE|DIR); -o patch prints what it would do"
        )


def _exit_code(linted: "Linted") -> int:
    found = {each.finding.severity for each in linted.findings}
    if "error" in found:
        return 2
    return 1 if linted.strict and "warning" in found else 0
