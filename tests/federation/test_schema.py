"""The proto file cannot express words: not now, and not after a careless change (FED-1)."""

import subprocess
import sys

import pytest

from companion.federation import schema
from companion.federation.sums.sketch import SIZE


def proto_text() -> str:
    path = schema.files("companion.federation") / schema.FILE
    return path.read_text()


@pytest.mark.parametrize(
    "line",
    [
        "optional string note = 9;",
        "optional bytes note = 9;",
        "repeated fixed64 more = 9;",
        "map<fixed32, fixed64> more = 9;",
        "optional int64 loose = 9;",
        "optional uint64 loose = 9;",
        "optional Contribution again = 9;",
        "oneof either { fixed32 a = 9; }",
        "extensions 100 to 199;",
        "reserved 4;",
    ],
)
def test_a_field_that_could_hold_more_than_a_number_is_refused(line):
    text = proto_text().replace(
        "message Contribution {", "message Contribution {\n  " + line
    )

    with pytest.raises(schema.Expressive):
        schema.read_proto(text)


@pytest.mark.parametrize(
    "line", ['import "any.proto";', "option java_package;", "stream Sheet;"]
)
def test_a_line_that_is_not_understood_is_refused(line):
    with pytest.raises(schema.Expressive):
        schema.read_proto(line + "\n" + proto_text())


def test_no_message_carries_more_than_one_sheet():
    proto = schema.load_proto()

    sheet = schema.count_bits(proto, "Sheet")
    assert sheet == 64 * SIZE
    for message in proto.messages:
        assert schema.count_bits(proto, message) <= sheet + 256


def test_the_descriptor_has_no_string_no_bytes_and_no_repeated_field():
    from google.protobuf.descriptor_pb2 import FieldDescriptorProto as F

    described = schema.describe_file(schema.load_proto())

    allowed = {F.TYPE_FIXED32, F.TYPE_FIXED64, F.TYPE_ENUM, F.TYPE_MESSAGE}
    fields = [
        field for message in described.message_type for field in message.field
    ]
    assert len(fields) > 50
    for field in fields:
        assert field.type in allowed, field.name
        assert field.label == F.LABEL_OPTIONAL, field.name
    for message in described.message_type:
        assert not message.extension_range
        assert not message.nested_type  # no map entries


@pytest.mark.needs("grpc_tools")
def test_the_file_means_to_protoc_what_it_means_to_the_program(tmp_path):
    from google.protobuf.descriptor_pb2 import FileDescriptorSet

    path = tmp_path / schema.FILE
    path.write_text(proto_text())
    out = tmp_path / "set.bin"
    command = [sys.executable, "-m", "grpc_tools.protoc", f"-I{tmp_path}"]
    subprocess.run(
        [*command, f"--descriptor_set_out={out}", schema.FILE],
        check=True,
        cwd=tmp_path,
    )
    (compiled,) = FileDescriptorSet.FromString(out.read_bytes()).file

    described = schema.describe_file(schema.load_proto())
    for field in (
        field for message in compiled.message_type for field in message.field
    ):
        field.ClearField("json_name")
    assert described == compiled
