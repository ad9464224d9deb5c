import { Disposable, type DisposableLike } from '../../base/disposable';
import { Emitter } from '../../base/emitter';
import type { Clock } from '../ports';
import type { BaseArchive } from './baseArchive';
import type { ConfigSource } from './configSource';
import type { DocumentAddress } from './documentAddress';
import { DocumentFile, type FileChange } from './documentFile';

/** Files that were looked at but never opened are forgotten beyond this number, oldest first. */
const MAX_CLOSED_FILES = 50;

interface Entry extends DisposableLike {
  readonly file: DocumentFile;
}

/** The documents of this window, one file for each URI. */
export class DocumentFiles extends Disposable {
  private readonly entries = new Map<string, Entry>();
  private readonly fileChanged = this.register(
    new Emitter<{ readonly uri: string; readonly change: FileChange }>(),
  );
  private readonly stateChanged = this.register(new Emitter<DocumentFile>());
  private readonly editsReplaced = this.register(
    new Emitter<{ readonly uri: string; readonly text: string }>(),
  );

  readonly onDidChangeFile = this.fileChanged.event;
  /** A document became dirty or clean, fell behind the service, or lost its resource. */
  readonly onDidChangeState = this.stateChanged.event;
  /** VS Code loaded a document over edits; `text`, with the edits, is to be put back. */
  readonly onDidReplaceEdits = this.editsReplaced.event;

  constructor(
    private readonly openSource: (address: DocumentAddress) => ConfigSource,
    private readonly archive: BaseArchive,
    private readonly clock: Clock,
  ) {
    super();
    this.register({ dispose: () => this.entries.forEach((entry) => entry.dispose()) });
  }

  /** The file of a URI, made when it is asked for the first time. */
  file(uri: string, address: DocumentAddress): DocumentFile {
    const known = this.entries.get(uri);
    if (known) return known.file;
    this.forgetClosed();
    const file = new DocumentFile(uri, this.openSource(address), this.archive, this.clock);
    const subscriptions = [
      file.onDidChangeFile((change) => this.fileChanged.fire({ uri, change })),
      file.onDidChangeState(() => this.stateChanged.fire(file)),
      file.onDidReplaceEdits((text) => this.editsReplaced.fire({ uri, text })),
      file,
    ];
    const dispose = (): void => subscriptions.forEach((item) => item.dispose());
    this.entries.set(uri, { file, dispose });
    return file;
  }

  /** The file of a URI if it was asked for. */
  peek(uri: string): DocumentFile | undefined {
    return this.entries.get(uri)?.file;
  }

  private forgetClosed(): void {
    const closed = [...this.entries].filter(([, { file }]) => file.editorState === 'closed');
    for (const [uri, entry] of closed.slice(0, Math.max(0, closed.length - MAX_CLOSED_FILES))) {
      this.entries.delete(uri);
      entry.dispose();
    }
  }
}
