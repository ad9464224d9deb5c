type Listener = (text: string | undefined) => void;

/** Passes on what an undo would take back to anyone who offers it. */
export class UndoNews {
  private readonly listeners = new Set<Listener>();
  private text: string | undefined;

  /** Calls a listener now and whenever it is something else. */
  listen(listener: Listener): void {
    this.listeners.add(listener);
    listener(this.text);
  }

  tell(text: string | undefined): void {
    this.text = text;
    for (const listener of this.listeners) listener(text);
  }
}
