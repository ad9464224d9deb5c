/** Context that VS Code provides to a notebook renderer that requested messaging. */
export interface RendererContext {
  postMessage(message: unknown): void;
  onDidReceiveMessage(listener: (message: unknown) => void): unknown;
}

/** An output that VS Code passes to the renderer. */
export interface OutputItem {
  readonly id: string;
  json(): unknown;
}

/** The renderer methods that VS Code calls. */
export interface NotebookRenderer {
  renderOutputItem(item: OutputItem, root: HTMLElement, signal?: AbortSignal): Promise<void>;
  /** @param id ID of the output; absent when all outputs are removed. */
  disposeOutputItem(id?: string): void;
}
