/** What VS Code gives a notebook renderer that asked for messaging. */
export interface RendererContext {
  postMessage(message: unknown): void;
  onDidReceiveMessage(listener: (message: unknown) => void): unknown;
}

/** An output as VS Code hands it over to be shown. */
export interface OutputItem {
  readonly id: string;
  json(): unknown;
}

/** What VS Code calls on a renderer. */
export interface NotebookRenderer {
  renderOutputItem(item: OutputItem, root: HTMLElement, signal?: AbortSignal): Promise<void>;
  /** @param id absent when all outputs are gone. */
  disposeOutputItem(id?: string): void;
}
