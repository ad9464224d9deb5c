declare module '*.wasm' {
  /** The file as a `data:` URL, which the bundler puts into the program. */
  const url: string;
  export { url as default };
}
