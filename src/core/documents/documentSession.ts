import { FleetError } from '../api/errors';
import { versionToMilliseconds } from '../model/timestamp';
import {
  type ConfigSource,
  ContentMismatchError,
  type EditBase,
  InvalidDocumentError,
  SaveConflictError,
  type Snapshot,
} from './configSource';
import type { AppliedMerge } from './jsonMerge';
import { findJsonProblems } from './jsonProblems';
import { presentJson, sameEditorText, sameJsonText, sameJsonValue } from './jsonText';

/**
 * Outcome of a successful save: the service already had the text, has it now, or has the same
 * values in a different order or with different digits.
 */
export type SaveOutcome = 'unchanged' | 'saved' | 'savedDifferently';

/**
 * Maximum number of remembered contents that were read for an editor and that it might still show.
 */
const MAX_SERVED_TEXTS = 8;

/** Maximum number of unconfirmed writes that are remembered until a write succeeds. */
const MAX_UNCONFIRMED_TEXTS = 8;

/** Maximum number of times to retry a write if only the version has changed, not the content. */
const MAX_VERSION_RETRIES = 2;

/** The document's text and the service state that the text represents. */
interface Revision {
  readonly text: string;
  readonly snapshot: Snapshot;
}

/**
 * Session for one document: the service's newest known state, the base of an editor's unsaved
 * edits, and the rules for saving.
 *
 * A successful save means that the service had the editor's text at that time, compared according
 * to the document's wire format. Every save therefore reads the document from the service before
 * making any decision; it never relies on cached state. The base is the text that the editor last
 * showed as saved or loaded. It only moves forward: older text that Undo restores is an edit of the
 * base, regardless of how VS Code reports it.
 */
export class DocumentSession {
  private newest: Snapshot | undefined;
  /**
   * Number of the operation that returned `newest`. Responses to earlier operations are outdated.
   */
  private newestOperation = 0;
  private operations = 0;
  private lastWriteOperation = 0;
  private saved: Revision | undefined;
  private applied: readonly AppliedMerge[] = [];
  private served: readonly (Revision & { readonly operation: number })[] = [];
  private unconfirmed: readonly string[] = [];
  private approved: Revision | undefined;
  private mtime = 0;

  /** @param openedAt time in milliseconds since 1970 */
  constructor(
    private readonly source: ConfigSource,
    private readonly openedAt: number,
  ) {}

  /** The service's newest known state. */
  get latest(): Snapshot | undefined {
    return this.newest;
  }

  /**
   * Time at which `latest` changed, in milliseconds since 1970; 0 before the first read. Two
   * changes in one window always have different times, even within one millisecond or without a
   * version (metadata).
   */
  get changedAt(): number {
    return this.mtime;
  }

  /**
   * State from which unsaved edits started: the last state that was saved or that an editor loaded.
   */
  get base(): Snapshot | undefined {
    return this.saved?.snapshot;
  }

  /** Merges that were applied since the base was saved or loaded, oldest first. */
  get merges(): readonly AppliedMerge[] {
    return this.applied;
  }

  /** Data about the edits that must survive a window reload; undefined if there is no base. */
  get editBase(): EditBase | undefined {
    const { base: snapshot, unconfirmed, merges } = this;
    return snapshot && { snapshot, unconfirmed, merges };
  }

  /** True if the service has a state that this editor's edits can't replace without a prompt. */
  get isChangedElsewhere(): boolean {
    return this.newest !== undefined && !this.isOwn(this.newest);
  }

  /**
   * Reads the document from the service.
   * @returns the newest known state, which can be the result of a write that finished during the
   *   read
   */
  async read(): Promise<Snapshot> {
    const operation = this.startOperation();
    return this.accept(await this.source.read(), operation);
  }

  /**
   * Returns the text of the newest known state for an editor to load; empty before the first read.
   * `noteClean` detects whether the editor has loaded it.
   */
  serve(): string {
    const { newest: snapshot, newestOperation: operation } = this;
    if (!snapshot) return '';
    const text = presentJson(snapshot.text);
    // An editor that already shows this text doesn't report that it has loaded it.
    if (this.saved && sameEditorText(this.saved.text, text)) this.saved = { text, snapshot };
    this.served = [...this.served, { text, snapshot, operation }].slice(-MAX_SERVED_TEXTS);
    return text;
  }

  /** Returns true if the values in `text` are known to differ from the base. */
  isEdit(text: string): boolean {
    return this.base !== undefined && !sameJsonValue(this.base.text, text);
  }

  /** Returns true if `text` was read for an editor that hasn't shown it yet. */
  isServed(text: string): boolean {
    return this.served.some((revision) => sameEditorText(revision.text, text));
  }

  /**
   * Handles `text` in an editor that VS Code reports as clean. If `text` is what the editor loaded
   * last, the base moves to the loaded state.
   * @returns false if `text` is neither the loaded text nor the last saved one, so it must contain
   *   edits
   */
  noteClean(text: string): boolean {
    const index = this.served.findLastIndex((revision) => sameEditorText(revision.text, text));
    const loaded = this.served[index];
    if (loaded) {
      this.setBase(loaded);
      this.served = this.served.slice(index + 1);
      if (loaded.operation > this.lastWriteOperation) this.unconfirmed = [];
      return true;
    }
    return this.saved !== undefined && sameEditorText(this.saved.text, text);
  }

  /**
   * Handles `text` in an editor if it's unknown whether the text contains edits.
   * @returns true if the service has the same text, which makes it the base
   */
  adopt(text: string): boolean {
    const { newest } = this;
    if (!newest || !this.sameText(newest.text, text)) return false;
    this.setBase({ text, snapshot: newest });
    if (this.newestOperation > this.lastWriteOperation) this.unconfirmed = [];
    return true;
  }

  /** Restores the base of unsaved edits that VS Code has restored from its backup. */
  restoreBase({ snapshot, unconfirmed, merges = [] }: EditBase): void {
    this.setBase({ text: presentJson(snapshot.text), snapshot });
    this.unconfirmed = unconfirmed;
    this.applied = merges;
  }

  /** Records a merge that replaced the editor's text and hasn't been saved. */
  noteMerge(merge: AppliedMerge): void {
    this.applied = [...this.applied, merge];
  }

  /**
   * Records that the user agreed to replace `snapshot` with the next save if the saved text is
   * `text`.
   */
  approve(text: string, snapshot: Snapshot): void {
    this.approved = { text, snapshot };
  }

  /** Returns true if the user already agreed to save `text`. */
  hasApproved(text: string): boolean {
    return this.approved !== undefined && sameJsonText(this.approved.text, text);
  }

  /**
   * Advances `changedAt` even though nothing has changed on the service, so that an editor reloads
   * the document.
   */
  touch(): void {
    this.mtime += 1;
  }

  /**
   * Stores `text` on the service. Writes nothing if the service already has it. Reads the state
   * before every write, because a service can ignore the version in the request, and checks the
   * response after the write.
   * @throws InvalidDocumentError, SaveConflictError, ContentMismatchError, FleetError. After an
   *   error, the base is unchanged.
   */
  async save(text: string): Promise<SaveOutcome> {
    const { approved } = this;
    this.approved = undefined;
    const problems = findJsonProblems(text, this.source.wireFormat);
    for (let attempt = 0; ; attempt += 1) {
      const remote = await this.read();
      const replaceable = this.isOwn(remote) || this.isApproved(approved, text, remote);
      if (this.isAlreadySaved(remote, text, replaceable)) {
        this.confirm(text, remote);
        return 'unchanged';
      }
      if (problems.length > 0) throw new InvalidDocumentError(problems);
      if (!replaceable) throw new SaveConflictError(this.base, remote);
      try {
        return await this.write(text, remote);
      } catch (error) {
        const canRetry = attempt < MAX_VERSION_RETRIES;
        if (!(error instanceof FleetError && error.kind === 'conflict' && canRetry)) throw error;
        // The version has changed between the read and the write, so the next iteration reads the
        // new state.
      }
    }
  }

  /**
   * Returns true if the service's state is the base, or the result of a save by this editor that
   * got no response.
   */
  private isOwn(remote: Snapshot): boolean {
    const { base } = this;
    if (base && this.sameText(base.text, remote.text)) return true;
    // The service might have stored the text with its keys in a different order.
    return this.unconfirmed.some((text) => sameJsonValue(text, remote.text));
  }

  private isApproved(approved: Revision | undefined, text: string, remote: Snapshot): boolean {
    if (!approved) return false;
    // Formatting on save might have changed the layout since the user agreed.
    return sameJsonText(approved.text, text) && this.sameText(approved.snapshot.text, remote.text);
  }

  /**
   * Returns true if there is nothing to write. A change that affects only the layout is written
   * only if the service preserves the layout and no other user has changed the document.
   */
  private isAlreadySaved(remote: Snapshot, text: string, replaceable: boolean): boolean {
    if (!this.sameText(remote.text, text)) return false;
    if (this.source.wireFormat === 'struct' || !replaceable) return true;
    return withUniformLineEnds(presentJson(remote.text)) === text;
  }

  private async write(text: string, { name, version }: Snapshot): Promise<SaveOutcome> {
    const answer = await this.send({ text, name, lastKnownVersion: version });
    const confirmed = answer && this.sameText(answer.text, text);
    const stored = confirmed ? this.accept(answer, this.lastWriteOperation) : await this.read();
    if (!sameJsonValue(stored.text, text)) {
      if (answer) this.noteUnconfirmed(answer.text);
      throw new ContentMismatchError(stored);
    }
    this.confirm(text, stored);
    return this.sameText(stored.text, text) ? 'saved' : 'savedDifferently';
  }

  private async send(request: Parameters<ConfigSource['write']>[0]): Promise<Snapshot | undefined> {
    const before = this.unconfirmed;
    this.noteUnconfirmed(request.text);
    try {
      return await this.source.write(request);
    } catch (error) {
      if (error instanceof FleetError && REJECTIONS.has(error.kind)) this.unconfirmed = before;
      throw error;
    } finally {
      // Reads that started earlier can return the state before this write.
      this.lastWriteOperation = this.startOperation();
    }
  }

  private noteUnconfirmed(text: string): void {
    this.unconfirmed = [...this.unconfirmed, text].slice(-MAX_UNCONFIRMED_TEXTS);
  }

  private confirm(text: string, snapshot: Snapshot): void {
    this.setBase({ text, snapshot });
    this.served = [];
    this.unconfirmed = [];
  }

  private setBase(revision: Revision): void {
    this.saved = revision;
    this.applied = [];
  }

  private startOperation(): number {
    this.operations += 1;
    return this.operations;
  }

  /**
   * Accepts a response if it isn't outdated. Responses can arrive out of order. A response is
   * outdated if its operation started before the newest operation.
   */
  private accept(snapshot: Snapshot, operation: number): Snapshot {
    const { newest } = this;
    if (newest && operation < this.newestOperation) return newest;
    this.newestOperation = operation;
    this.newest = snapshot;
    const { version, text } = snapshot;
    if (newest?.version !== version || newest?.text !== text) {
      const time = version === undefined ? this.openedAt : versionToMilliseconds(version);
      this.mtime = Math.max(time, this.mtime + 1);
    }
    return snapshot;
  }

  private sameText(left: string, right: string): boolean {
    return this.source.wireFormat === 'text'
      ? sameJsonText(left, right)
      : sameJsonValue(left, right);
  }
}

/** Errors that guarantee that the service still has the state before the write. */
const REJECTIONS: ReadonlySet<FleetError['kind']> = new Set([
  'unauthenticated',
  'permission',
  'notFound',
  'conflict',
  'invalid',
]);

/**
 * Normalizes line breaks as VS Code does when it loads a document: uses the most frequent kind, or
 * `\n` if there is a tie.
 */
function withUniformLineEnds(text: string): string {
  const lineEnds = text.match(/\r\n|\r|\n/g) ?? [];
  const withReturn = lineEnds.filter((lineEnd) => lineEnd !== '\n').length;
  return text.replace(/\r\n|\r|\n/g, withReturn > lineEnds.length / 2 ? '\r\n' : '\n');
}
