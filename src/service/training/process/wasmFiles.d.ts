declare module '*.wasm' {
  /** The file, compressed with Brotli, which the bundler puts into the program. */
  const compressed: Uint8Array;
  export { compressed as default };
}
