"""The fields of a file as a tree of objects."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

__all__ = ["Node", "Tree"]


class Node:
    """One field or item.

    Its fields are reached by name and its items by number: ``node["entries"][3]``, or by path:
    ``node["entries[3].payload"]``.
    """

    __slots__ = ("children", "damaged", "doc", "end", "name", "start", "type", "value")

    def __init__(self, node: dict[str, Any]) -> None:
        #: The name of the field, or ``[3]`` for an item.
        self.name: str = node["name"]
        #: The type as declared; empty for items.
        self.type: str = node["type"]
        #: The absolute offset of the first byte.
        self.start: int = node["start"]
        #: The absolute offset behind the last byte.
        self.end: int = node["end"]
        #: What the bytes mean.
        self.value: Any = node["value"]
        #: Whether damage ended the reading here.
        self.damaged: bool = node["damaged"]
        #: What the declaration says about the field.
        self.doc: str = node["doc"]
        #: What is inside.
        self.children: list[Node] = [Node(child) for child in node["children"]]

    def __getitem__(self, path: str | int) -> Node:
        node = self
        for step in [f"[{path}]"] if isinstance(path, int) else _steps(path):
            found = [child for child in node._visible() if child.name == step]
            if not found:
                raise KeyError(f"{step} of {path}")
            node = found[0]
        return node

    def _visible(self) -> Iterator[Node]:
        # A value without a name, such as that of a variant, is not part of paths.
        for child in self.children:
            if child.name:
                yield child
            else:
                yield from child._visible()

    def __contains__(self, path: object) -> bool:
        try:
            self[path]  # type: ignore[index]
        except (KeyError, TypeError):
            return False
        return True

    def __iter__(self) -> Iterator[Node]:
        return iter(self.children)

    def __len__(self) -> int:
        return len(self.children)

    def __bool__(self) -> bool:
        return True

    def walk(self) -> Iterator[Node]:
        """This node and everything inside, in the order of the declaration."""
        yield self
        for child in self.children:
            yield from child.walk()

    def __repr__(self) -> str:
        value = f" = {self.value!r}" if self.value is not None else ""
        return f"<Node {self.name or self.type} {self.start:#x}..{self.end:#x}{value}>"


class Tree:
    """All fields of a file: one node for each part of it, or for each field that was asked for."""

    __slots__ = ("file", "findings", "format", "nodes", "variant", "verdict")

    def __init__(self, inspected: dict[str, Any]) -> None:
        self.file: str = inspected["file"]
        self.format: str = inspected["format"]
        self.variant: str | None = inspected["variant"]
        #: ``valid``, ``invalid`` or ``malformed``.
        self.verdict: str = inspected["verdict"]
        self.findings: list[dict[str, Any]] = inspected["findings"]
        self.nodes: list[Node] = [Node(node) for node in inspected["nodes"]]

    @property
    def root(self) -> Node:
        """The only node, where the file is one part."""
        if len(self.nodes) != 1:
            raise ValueError(f"{self.file} has {len(self.nodes)} parts; take one of `nodes`")
        return self.nodes[0]

    def __getitem__(self, path: str | int) -> Node:
        return self.root[path]

    def __iter__(self) -> Iterator[Node]:
        return iter(self.nodes)

    def __len__(self) -> int:
        return len(self.nodes)

    def walk(self) -> Iterator[Node]:
        """Every node, in order."""
        for node in self.nodes:
            yield from node.walk()

    def __repr__(self) -> str:
        return f"<Tree {self.file} {self.format} {self.verdict}>"


def _steps(path: str) -> list[str]:
    """The steps of a path, names apart from numbers."""
    steps = re.findall(r"\[\d+\]|[^.\[\]]+", path)
    if "".join(steps) != path.replace(".", "") or not steps:
        raise KeyError(path)
    return steps
