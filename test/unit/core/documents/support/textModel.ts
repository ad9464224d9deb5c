import type { DocumentFile, FileStat } from '../../../../../src/core/documents/documentFile';

/** VS Code's own complaint, which must never be seen beside ours. */
export class ContentIsNewerError extends Error {}

/**
 * A text editor as VS Code's file service runs it: time and text read side by side, an etag of time and
 * size, the check before a write that looks at the size only, the stat after it, and reloading of
 * editors without edits when the file changes.
 */
export class TextModel {
  text = '';
  orphaned = false;
  private saved = '';
  private stat: FileStat = { mtime: 0, size: 0 };
  private reloading: Promise<void> = Promise.resolve();

  constructor(private readonly file: DocumentFile) {
    file.onDidChangeFile((change) => {
      this.reloading = this.reloading.then(() => this.onFileChange(change));
    });
  }

  get dirty(): boolean {
    return this.text !== this.saved;
  }

  async open(): Promise<this> {
    const [stat, text] = await Promise.all([this.file.stat(), this.file.read()]);
    this.show(stat, text);
    return this;
  }

  /**
   * Continues from a backup that an earlier window left, without reading the file. The extension host
   * is not always told that the document is dirty.
   */
  restore(backup: { text: string; stat: FileStat }, toldDirty: boolean): this {
    Object.assign(this, { text: backup.text, stat: backup.stat });
    if (toldDirty) this.file.noteDirty();
    else this.file.noteClean(this.text);
    return this;
  }

  /** A new extension host meets an editor that has nothing to save. */
  meet(file: DocumentFile): TextModel {
    const model = new TextModel(file);
    Object.assign(model, { text: this.text, stat: this.stat, saved: this.saved });
    file.noteClean(this.text);
    return model;
  }

  backup(): { text: string; stat: FileStat } {
    return { text: this.text, stat: this.stat };
  }

  edit(change: (text: string) => string): void {
    this.text = change(this.text);
    if (this.dirty) this.file.noteDirty();
    else this.file.noteClean(this.text);
  }

  async save(): Promise<void> {
    const current = await this.file.stat().catch(() => undefined);
    const moved = current !== undefined && this.stat.mtime < current.mtime;
    if (moved && etag(this.stat) !== etag({ mtime: this.stat.mtime, size: current.size })) {
      throw new ContentIsNewerError('The content of the file is newer.');
    }
    await this.file.write(this.text);
    const after = await this.file.stat();
    if (after.mtime >= this.stat.mtime) this.stat = after;
    this.saved = this.text;
    this.file.noteClean(this.text);
  }

  async revert(): Promise<void> {
    const [stat, text] = await Promise.all([this.file.stat(), this.file.read()]);
    this.show(stat, text);
  }

  /** Waits until all file events so far are dealt with. */
  async settled(): Promise<void> {
    // Announcements pass a few promise turns before they become file events.
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
    await this.reloading;
  }

  close(): void {
    this.file.noteClosed();
  }

  private async onFileChange(change: 'changed' | 'deleted'): Promise<void> {
    if (change === 'deleted') {
      this.orphaned = await this.file.stat().then(
        () => false,
        () => true,
      );
      return;
    }
    if (this.dirty) return;
    const stat = await this.file.stat();
    if (etag(stat) === etag(this.stat)) return;
    this.show(stat, await this.file.read());
  }

  private show(stat: FileStat, text: string): void {
    if (stat.mtime >= this.stat.mtime) this.stat = stat;
    this.text = text;
    this.saved = text;
    this.orphaned = false;
    this.file.noteClean(text);
  }
}

function etag({ mtime, size }: FileStat): string {
  return `${mtime.toString(29)}${size.toString(31)}`;
}
