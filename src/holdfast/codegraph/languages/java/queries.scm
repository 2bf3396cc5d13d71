; The places of a Java file that the code graph records. `extract.py` and `declared/reading.py` read each capture by name.

(class_declaration) @class
(record_declaration) @class
(interface_declaration) @interface
(annotation_type_declaration) @interface
(enum_declaration) @enum
(method_declaration) @method
(annotation_type_element_declaration) @method
(constructor_declaration) @method
(compact_constructor_declaration) @method
(lambda_expression) @block
(object_creation_expression (class_body)) @block

(package_declaration) @package
(import_declaration) @import

(field_declaration) @variable
(constant_declaration) @variable
(enum_constant) @variable
(local_variable_declaration) @variable
(enhanced_for_statement) @variable
(resource) @variable
(catch_formal_parameter) @variable
(instanceof_expression name: (_)) @variable
(type_pattern) @variable

(method_invocation) @call
(object_creation_expression) @call
(explicit_constructor_invocation) @call
(method_reference) @call

(type_identifier) @type_name
(marker_annotation) @decorator
(annotation) @decorator

; Names that are used as values: passed, stored, returned, compared.
(field_access) @read
(argument_list (identifier) @read)
(binary_expression (identifier) @read)
(return_statement (identifier) @read)
(assignment_expression right: (identifier) @read)
(variable_declarator value: (identifier) @read)
(switch_label (identifier) @read)
(ternary_expression (identifier) @read)
(method_invocation object: (identifier) @read)
