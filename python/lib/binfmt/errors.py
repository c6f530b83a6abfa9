"""What can go wrong, as exceptions."""

from __future__ import annotations

from typing import Any, Optional

__all__ = [
    "Error",
    "ExternalTensorError",
    "InvalidError",
    "RefusedError",
    "UnrecognisedError",
]


class Error(Exception):
    """Something could not be done with a file.

    ``file`` is its name, ``messages`` is everything that was said about it.
    """

    file: str
    messages: list[str]

    def __init__(self, file: str, *messages: str) -> None:
        self.file = file
        self.messages = list(messages)
        super().__init__(file, *messages)

    def __str__(self) -> str:
        text = "\n".join(self.messages) or "it cannot be read"
        return text if text.startswith(self.file) else f"{self.file}: {text}"


class UnrecognisedError(Error):
    """A file is of no known format; the message says what it is, where that is known."""


class ExternalTensorError(Error):
    """The elements of a tensor lie in another file."""


class InvalidError(Error):
    """A file breaks rules of its format, or cannot be read to its end.

    ``findings`` has all findings, as ``validate`` gives them.
    ``path``, ``start``, ``end`` and ``code`` are those of the first error: the field, its byte range
    in the file, and the rule.
    """

    findings: list[dict[str, Any]]

    def __init__(self, file: str, findings: list[dict[str, Any]]) -> None:
        self.findings = findings
        errors = [finding for finding in findings if finding["severity"] == "error"]
        first: dict[str, Any] = next(iter(errors or findings), {})
        self.path: str = first.get("path", "")
        self.code: str = first.get("code", "")
        self.start: int = first.get("start", 0)
        self.end: int = first.get("end", 0)
        super().__init__(file, *(_sentence(finding) for finding in errors or findings))

    def __reduce__(self) -> tuple[Any, ...]:
        return (type(self), (self.file, self.findings))

    def __str__(self) -> str:
        more = len(self.messages) - 1
        rest = f" (and {more} more)" if more > 0 else ""
        return f"{self.file}: {self.messages[0] if self.messages else 'invalid'}{rest}"


class RefusedError(Error):
    """``slim`` does not change a file, because something in it cannot be proven harmless.

    ``code``, ``path`` and ``offset`` say what and where, ``expected`` and ``found`` what is there.
    """

    def __init__(self, file: str, refused: dict[str, Any]) -> None:
        self.refused = refused
        self.code: str = refused["code"]
        self.path: Optional[str] = refused.get("path")
        self.offset: Optional[int] = refused.get("offset")
        self.expected: Any = refused.get("expected")
        self.found: Any = refused.get("found")
        super().__init__(file, refused["message"])

    def __reduce__(self) -> tuple[Any, ...]:
        return (type(self), (self.file, self.refused))


def _sentence(finding: dict[str, Any]) -> str:
    path = f"{finding['path']}: " if finding["path"] else ""
    return f"{path}{finding['message']} at {finding['start']:#x} [{finding['code']}]"
