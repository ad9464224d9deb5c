import { FleetError } from '../api/errors';
import { versionToMilliseconds } from '../model/versionToken';
import type { EditBase } from './baseArchive';
import type { ConfigSource, Snapshot } from './configSource';
import { findJsonProblems } from './jsonProblems';
import { presentJson, sameEditorText, sameJsonText, sameJsonValue } from './jsonText';
import { InvalidDocumentError, SaveConflictError, ContentMismatchError } from './saveErrors';

/**
 * How a save succeeded: the service held the text already, it holds the text now, or it holds the same
 * values in another order or with other digits than were sent.
 */
export type SaveOutcome = 'unchanged' | 'saved' | 'savedDifferently';

/** Texts that were read for an editor and that it may still be about to show. */
const MAX_SERVED_TEXTS = 8;

/** Writes without an answer that are remembered until one succeeds. */
const MAX_UNCONFIRMED_TEXTS = 8;

/** How often a write is repeated when only the version changed and the content did not. */
const MAX_VERSION_RETRIES = 2;

/** A text of the document, and the state of the service that it stands for. */
interface Revision {
  readonly text: string;
  readonly snapshot: Snapshot;
}

/**
 * One document: the newest known state of the service, the base of an editor's unsaved edits, and the
 * rules of saving.
 *
 * A save that succeeds means that the service holds the editor's text at that moment, by the measure of
 * its carrier. Every save therefore reads the service before it concludes anything; no remembered state
 * can end it early. The base is what the editor last showed as saved or loaded. It only moves forward: an
 * older text that comes back by Undo is an edit of the base, whatever VS Code says about it.
 */
export class DocumentSession {
  private newest: Snapshot | undefined;
  /** The operation that `newest` comes from: answers to earlier ones are out of date. */
  private newestOperation = 0;
  private operations = 0;
  private lastWriteOperation = 0;
  private saved: Revision | undefined;
  private served: readonly (Revision & { readonly operation: number })[] = [];
  private unconfirmed: readonly string[] = [];
  private approved: Revision | undefined;
  private mtime = 0;

  /** @param openedAt milliseconds since 1970 */
  constructor(
    private readonly source: ConfigSource,
    private readonly openedAt: number,
  ) {}

  /** The newest known state of the service. */
  get latest(): Snapshot | undefined {
    return this.newest;
  }

  /**
   * When `latest` changed, in milliseconds since 1970; 0 before the first read. Two changes within one
   * millisecond, or without a version (metadata), still get different times, in each window.
   */
  get changedAt(): number {
    return this.mtime;
  }

  /** The state that unsaved edits started from: the one that was last saved, or loaded by an editor. */
  get base(): Snapshot | undefined {
    return this.saved?.snapshot;
  }

  /** What has to be known of the edits after a reload of the window; undefined without a base. */
  get editBase(): EditBase | undefined {
    const { base: snapshot, unconfirmed } = this;
    return snapshot && { snapshot, unconfirmed };
  }

  /** Whether the service holds something that a save of this editor's edits would have to ask about. */
  get isChangedElsewhere(): boolean {
    return this.newest !== undefined && !this.isOwn(this.newest);
  }

  /**
   * Reads from the service.
   * @returns the newest known state, which a write that finished in the meantime may have made
   */
  async read(): Promise<Snapshot> {
    const operation = this.startOperation();
    return this.accept(await this.source.read(), operation);
  }

  /**
   * The text of the newest known state, for an editor to load. Whether it did shows in `noteClean`.
   * Empty before the first read.
   */
  serve(): string {
    const { newest: snapshot, newestOperation: operation } = this;
    if (!snapshot) return '';
    const text = presentJson(snapshot.text);
    // An editor that shows this text already is not told to load it.
    if (this.saved && sameEditorText(this.saved.text, text)) this.saved = { text, snapshot };
    this.served = [...this.served, { text, snapshot, operation }].slice(-MAX_SERVED_TEXTS);
    return text;
  }

  /** Whether `text` is known to have other values than the base. */
  isEdit(text: string): boolean {
    return this.base !== undefined && !sameJsonValue(this.base.text, text);
  }

  /** Whether `text` was read for an editor that has not been seen to show it. */
  isServed(text: string): boolean {
    return this.served.some((revision) => sameEditorText(revision.text, text));
  }

  /**
   * An editor that VS Code reports as clean shows `text`. If that is what it loaded last, the base moves
   * to the state it loaded.
   * @returns false when `text` is neither what was loaded nor what was saved last, and so must be edits
   */
  noteClean(text: string): boolean {
    const index = this.served.findLastIndex((revision) => sameEditorText(revision.text, text));
    const loaded = this.served[index];
    if (loaded) {
      this.saved = loaded;
      this.served = this.served.slice(index + 1);
      if (loaded.operation > this.lastWriteOperation) this.unconfirmed = [];
      return true;
    }
    return this.saved !== undefined && sameEditorText(this.saved.text, text);
  }

  /**
   * An editor shows `text`, of which is not known whether it is edits.
   * @returns whether the service holds it, which makes it the base
   */
  adopt(text: string): boolean {
    const { newest } = this;
    if (!newest || !this.sameText(newest.text, text)) return false;
    this.saved = { text, snapshot: newest };
    if (this.newestOperation > this.lastWriteOperation) this.unconfirmed = [];
    return true;
  }

  /** Unsaved edits were restored together with the state that they started from. */
  restoreBase({ snapshot, unconfirmed }: EditBase): void {
    this.saved = { text: presentJson(snapshot.text), snapshot };
    this.unconfirmed = unconfirmed;
  }

  /** The user agreed that the next save, if it is one of `text`, replaces `snapshot`. */
  approve(text: string, snapshot: Snapshot): void {
    this.approved = { text, snapshot };
  }

  /** Moves `changedAt` although the service did not change, so that an editor loads the document again. */
  touch(): void {
    this.mtime += 1;
  }

  /**
   * Makes the service hold `text`; nothing is written if it does already. The state is read before
   * every write, since a service may ignore the version that is sent, and the answer is checked after it.
   * @throws InvalidDocumentError, SaveConflictError, ContentMismatchError, FleetError. The base stays.
   */
  async save(text: string): Promise<SaveOutcome> {
    const { approved } = this;
    this.approved = undefined;
    const problems = findJsonProblems(text, this.source.carrier);
    for (let attempt = 0; ; attempt += 1) {
      const remote = await this.read();
      const replaceable = this.isOwn(remote) || this.isApproved(approved, text, remote);
      if (this.holds(remote, text, replaceable)) {
        this.confirm(text, remote);
        return 'unchanged';
      }
      if (problems.length > 0) throw new InvalidDocumentError(problems);
      if (!replaceable) throw new SaveConflictError(this.base, remote);
      try {
        return await this.write(text, remote);
      } catch (error) {
        const mayRetry = attempt < MAX_VERSION_RETRIES;
        if (!(error instanceof FleetError && error.kind === 'conflict' && mayRetry)) throw error;
        // The version changed between the read and the write: the next round finds out to what.
      }
    }
  }

  /** Whether the service's state is the base, or comes from a save of this editor that got no answer. */
  private isOwn(remote: Snapshot): boolean {
    const { base } = this;
    if (base && this.sameText(base.text, remote.text)) return true;
    // The service may have stored it in another order.
    return this.unconfirmed.some((text) => sameJsonValue(text, remote.text));
  }

  private isApproved(approved: Revision | undefined, text: string, remote: Snapshot): boolean {
    if (!approved) return false;
    // Formatting on save may have changed the layout since.
    return sameJsonText(approved.text, text) && this.sameText(approved.snapshot.text, remote.text);
  }

  /** A new layout alone is written only where the service keeps layouts and no one else wrote. */
  private holds(remote: Snapshot, text: string, replaceable: boolean): boolean {
    if (!this.sameText(remote.text, text)) return false;
    if (this.source.carrier === 'struct' || !replaceable) return true;
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
      // Reads that started earlier may hold the state before the write.
      this.lastWriteOperation = this.startOperation();
    }
  }

  private noteUnconfirmed(text: string): void {
    this.unconfirmed = [...this.unconfirmed, text].slice(-MAX_UNCONFIRMED_TEXTS);
  }

  private confirm(text: string, snapshot: Snapshot): void {
    this.saved = { text, snapshot };
    this.served = [];
    this.unconfirmed = [];
  }

  private startOperation(): number {
    this.operations += 1;
    return this.operations;
  }

  /** Answers can overtake each other: one that started before the newest is not newer. */
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
    return this.source.carrier === 'text' ? sameJsonText(left, right) : sameJsonValue(left, right);
  }
}

/** Errors after which the service certainly holds what it held before the write. */
const REJECTIONS: ReadonlySet<FleetError['kind']> = new Set([
  'unauthenticated',
  'permission',
  'notFound',
  'conflict',
  'invalid',
]);

/** Line ends as VS Code makes them when it loads a text: those of the majority, `\n` if it is a tie. */
function withUniformLineEnds(text: string): string {
  const lineEnds = text.match(/\r\n|\r|\n/g) ?? [];
  const withReturn = lineEnds.filter((lineEnd) => lineEnd !== '\n').length;
  return text.replace(/\r\n|\r|\n/g, withReturn > lineEnds.length / 2 ? '\r\n' : '\n');
}
