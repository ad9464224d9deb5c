import { englishLocalizer } from '../../base/localizer';
import { Disposable, type DisposableLike } from '../../base/disposable';
import { Emitter } from '../../base/emitter';
import type { Clock } from '../ports';
import type { BaseArchive, ConfigSource } from './configSource';
import type { DocumentAddress } from './documentAddress';
import { DocumentFile, type FileChange } from './documentFile';

/**
 * Maximum number of files that were read but never opened. If there are more, the oldest files are
 * removed.
 */
const MAX_CLOSED_FILES = 50;

interface Entry extends DisposableLike {
  readonly file: DocumentFile;
}

/** Documents in this window, with one file per URI. */
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
  /**
   * Fires when a document has become dirty, clean, or out of date, or when its resource was
   * deleted.
   */
  readonly onDidChangeState = this.stateChanged.event;
  /**
   * Fires when VS Code has replaced edits to a document. The listener must restore `text`, which
   * contains the edits.
   */
  readonly onDidReplaceEdits = this.editsReplaced.event;

  constructor(
    private readonly openSource: (address: DocumentAddress) => ConfigSource,
    private readonly archive: BaseArchive,
    private readonly clock: Clock,
    private readonly l10n = englishLocalizer,
  ) {
    super();
    this.register({ dispose: () => this.entries.forEach((entry) => entry.dispose()) });
  }

  /** Returns the file for a URI and creates it on first use. */
  file(uri: string, address: DocumentAddress): DocumentFile {
    const known = this.entries.get(uri);
    if (known) return known.file;
    this.evictClosed();
    const source = this.openSource(address);
    const file = new DocumentFile(uri, source, this.archive, this.clock, this.l10n);
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

  /** Returns the file for a URI if it already exists. */
  peek(uri: string): DocumentFile | undefined {
    return this.entries.get(uri)?.file;
  }

  private evictClosed(): void {
    const closed = [...this.entries].filter(([, { file }]) => file.editorState === 'closed');
    for (const [uri, entry] of closed.slice(0, Math.max(0, closed.length - MAX_CLOSED_FILES))) {
      this.entries.delete(uri);
      entry.dispose();
    }
  }
}
