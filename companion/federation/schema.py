"""The messages of `federation.proto`, read from that file itself, and the refusal of any field that
could hold words (FED-1).

The file is the boundary: a message class has the fields that stand there and no other. A type that
has no fixed size, a repeated field, a map, and any line that is not understood, keep the program
from starting.
"""

import re
from collections.abc import Iterator, Mapping
from importlib.resources import files
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from google.protobuf.descriptor_pb2 import FileDescriptorProto

PACKAGE = "companion.federation.v1"
FILE = "federation.proto"
#: the types of one size: numbers of 32 and 64 bits
NUMBERS = ("fixed32", "fixed64")

_FIELD = re.compile(r"optional (\w+) (\w+) = (\d+);")
_MEMBER = re.compile(r"([A-Z_]+) = (\d+);")
_CALL = re.compile(r"rpc (\w+)\((\w+)\) returns \((\w+)\);")
_BLOCK = re.compile(r"(enum|message|service) (\w+) \{")
_HEAD = re.compile(rf'syntax = "proto3";|package {re.escape(PACKAGE)};')


class Expressive(ValueError):
    """The proto file could express more than numbers of one size."""


class Field(NamedTuple):
    """A field of a message: a number, an enum or a message."""

    type: str
    name: str
    number: int


class Call(NamedTuple):
    """A call that peers answer."""

    name: str
    request: str
    response: str


class Proto(NamedTuple):
    """The whole of a proto file."""

    enums: Mapping[str, Mapping[str, int]]
    messages: Mapping[str, tuple[Field, ...]]
    calls: tuple[Call, ...]


def read_proto(text: str) -> Proto:
    """Return what a proto file says. Raises Expressive, naming the line or the field."""
    enums: dict[str, dict[str, int]] = {}
    messages: dict[str, tuple[Field, ...]] = {}
    calls: list[Call] = []
    for kind, name, lines in _list_blocks(text):
        if kind == "message":
            fields = _match_lines(_FIELD, lines)
            messages[name] = tuple(Field(f[1], f[2], int(f[3])) for f in fields)
        elif kind == "enum":
            members = _match_lines(_MEMBER, lines)
            enums[name] = {member[1]: int(member[2]) for member in members}
        elif kind == "service":
            found = _match_lines(_CALL, lines)
            calls.extend(Call(call[1], call[2], call[3]) for call in found)
        else:
            _match_lines(_HEAD, lines)
    proto = Proto(enums, messages, tuple(calls))
    _check_types(proto)
    return proto


def _list_blocks(text: str) -> Iterator[tuple[str, str, list[str]]]:
    """Yield the kind, the name and the lines of each block; lines beside blocks have no kind."""
    kind = name = ""
    lines: list[str] = []
    for line in _list_lines(text):
        begun = _BLOCK.fullmatch(line)
        is_end = line == "}" and bool(kind)
        if begun is None and not is_end:
            lines.append(line)
            continue
        yield kind, name, lines
        kind, name = begun.groups() if begun else ("", "")
        lines = []
    yield kind, name, lines


def _match_lines(
    pattern: re.Pattern[str], lines: list[str]
) -> list[re.Match[str]]:
    """Return the match of each of *lines*. Raises Expressive for a line of another form."""
    matches = []
    for line in lines:
        match = pattern.fullmatch(line)
        if match is None:
            raise Expressive(f"{FILE} has a line beyond numbers: {line}")
        matches.append(match)
    return matches


def _list_lines(text: str) -> Iterator[str]:
    for line in text.splitlines():
        bare = line.partition("//")[0].strip()
        if bare:
            yield bare


def _check_types(proto: Proto) -> None:
    known = {*NUMBERS, *proto.enums}
    # a message holds only messages that stand above it: none holds itself
    for name, fields in proto.messages.items():
        for field in fields:
            if field.type not in known:
                raise Expressive(
                    f"{name}.{field.name} is a {field.type}: only numbers of "
                    "one size, enums and messages of them may leave a device"
                )
        known.add(name)


def count_bits(proto: Proto, message: str) -> int:
    """Return the bits that a *message* can carry at most; an enum carries those of its members."""
    bits = 0
    for field in proto.messages[message]:
        if field.type in NUMBERS:
            bits += int(field.type.removeprefix("fixed"))
        elif field.type in proto.enums:
            bits += (len(proto.enums[field.type]) - 1).bit_length()
        else:
            bits += count_bits(proto, field.type)
    return bits


def load_proto() -> Proto:
    """Return the proto file that this program exchanges. Raises Expressive."""
    path = files("companion.federation") / FILE
    return read_proto(path.read_text(encoding="utf-8"))


def describe_file(proto: Proto) -> "FileDescriptorProto":
    """Return *proto* as protobuf describes a file; needs the extra `[federation]`."""
    from google.protobuf.descriptor_pb2 import (
        FieldDescriptorProto,
        FileDescriptorProto,
    )

    made = FileDescriptorProto(name=FILE, package=PACKAGE, syntax="proto3")
    for name, members in proto.enums.items():
        enum = made.enum_type.add(name=name)
        for member, number in members.items():
            enum.value.add(name=member, number=number)
    codes = {
        "fixed32": FieldDescriptorProto.TYPE_FIXED32,
        "fixed64": FieldDescriptorProto.TYPE_FIXED64,
    }
    for name, fields in proto.messages.items():
        message = made.message_type.add(name=name)
        for place, each in enumerate(fields):
            field = message.field.add(
                name=each.name,
                number=each.number,
                label=FieldDescriptorProto.LABEL_OPTIONAL,
                proto3_optional=True,
                oneof_index=place,
            )
            if each.type in codes:
                field.type = codes[each.type]
                continue
            field.type_name = f".{PACKAGE}.{each.type}"
            field.type = FieldDescriptorProto.TYPE_MESSAGE
            if each.type in proto.enums:
                field.type = FieldDescriptorProto.TYPE_ENUM
        for each in fields:
            message.oneof_decl.add(name=f"_{each.name}")
    service = made.service.add(name="Peer")
    for call in proto.calls:
        service.method.add(
            name=call.name,
            input_type=f".{PACKAGE}.{call.request}",
            output_type=f".{PACKAGE}.{call.response}",
        )
    return made
