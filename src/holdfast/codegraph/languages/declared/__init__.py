"""What Go, Java and Rust have in common: types are declared, so that names and declarations lead to most targets."""
