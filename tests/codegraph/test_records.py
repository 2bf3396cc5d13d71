"""The interface of a file: what other files can depend on."""

from holdfast.codegraph.code_records import Binding, CodeReference, Definition, FileRecord, Import, ImportedName


def record(line: int = 1, local: str = "int", attribute: str = "Client") -> FileRecord:
    """A class with one method, defined at a line; a local name of the method and an attribute of the instance."""
    return FileRecord(
        "a.py",
        "python",
        "hash",
        20,
        definitions=(
            Definition("A", "A", "class", line, line + 5, 0, 90, line, 6),
            Definition("run", "A.run", "method", line + 1, line + 3, 10, 60, line + 1, 8, parent=0),
            Definition("stop", "A.stop", "method", line + 4, line + 5, 60, 80, line + 4, 8, parent=0),
        ),
        imports=(Import("b", (ImportedName("Client", "Client"),), line),),
        references=(CodeReference("Client", "call", line + 2, 4, 1),),
        bindings=(
            Binding("self.client", "type", attribute, line + 3, 1),
            Binding("count", "type", local, line + 4, 2),
        ),
    )


def test_moving_code_or_changing_local_names_leaves_the_interface_unchanged():
    assert record(line=1).interface() == record(line=7, local="str").interface()


def test_the_type_of_an_attribute_belongs_to_the_interface():
    assert record().interface() != record(attribute="Server").interface()
