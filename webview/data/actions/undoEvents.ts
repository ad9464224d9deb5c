type Listener = (text: string | undefined) => void;

/** Notifies listeners of the action that can be undone. */
export class UndoEvents {
  private readonly listeners = new Set<Listener>();
  private text: string | undefined;

  /** Calls a listener now and after every change. */
  listen(listener: Listener): void {
    this.listeners.add(listener);
    listener(this.text);
  }

  notify(text: string | undefined): void {
    this.text = text;
    for (const listener of this.listeners) listener(text);
  }
}
