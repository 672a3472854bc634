"""The instruction form compiled to WebAssembly, and run there: a second executor, for speed."""
