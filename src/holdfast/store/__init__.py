"""Storage: Protocols for reading by use and for writing per owner, and the engines that implement them."""
