import { englishLocalizer, type Localizer } from '../../../base/localizer';
import { Disposable } from '../../../base/disposable';
import { Emitter } from '../../../base/emitter';
import { FleetError, toFleetError } from '../../api/errors';
import type { BoundingBox, BoxCorners } from '../../model/binaryItem';
import type { Sleep } from '../../ports';
import {
  type BoxContent,
  BoxHistory,
  isSameContent,
  isStored,
  requireContent,
  rightOne,
  type StoredBox,
  toBoxContent,
  type TrackedBox,
} from './trackedBox';
import { type BoxJournal, type ImageBoxes, storeBox } from './boxStorage';

/** Delay in milliseconds before a box that the user moves with the keyboard is saved. */
const DEBOUNCE_MS = 400;

/** Maximum number of times a read is repeated because of concurrent changes. */
const MAX_READS = 3;

/** Box as displayed: always with the user's changes, even if they are not saved yet. */
export interface ShownBox {
  readonly key: string;
  readonly content: BoxContent;
  /** True if the box is deleted but the service still has it. */
  readonly deleted: boolean;
  readonly state: 'saved' | 'saving' | 'failed' | 'half';
  readonly problem: TrackedBox['problem'];
  /** Boxes that the service still stores but that must be removed. */
  readonly leftovers: readonly StoredBox[];
}

export interface BoxChange {
  readonly label?: string | undefined;
  readonly corners?: BoxCorners | undefined;
  /** Number of a gesture. Changes to the same box that have the same number are undone together. */
  readonly gesture?: number | undefined;
}

export interface BoxEditsOptions {
  readonly image: ImageBoxes;
  readonly journal: BoxJournal;
  readonly sleep: Sleep;
  /** Translates error messages. */
  readonly l10n?: Localizer | undefined;
}

/**
 * Boxes that the user edits in one image. The service can only add and remove boxes, so a change
 * adds the new box and then removes the old one. Saves changes one after the other; if a box has
 * more than one pending change, saves only the last one. A failed change keeps the user's state,
 * reports the problem, and waits for a retry.
 */
export class BoxEdits extends Disposable {
  private readonly l10n: Localizer;
  private readonly boxes = new Map<string, TrackedBox>();
  private readonly history = new BoxHistory();
  /** Keys of boxes to save. A box that the user moves with the keyboard is debounced first. */
  private readonly waiting = new Map<string, 'resting' | 'ready'>();
  private busy: string | undefined;
  private running: Promise<void> | undefined;
  private rest = new AbortController();
  private changes = 0;
  /** True if another user has changed the image since the boxes were read. */
  private isBehind = false;
  private readonly changed = this.register(new Emitter<void>());
  readonly onDidChange = this.changed.event;

  private constructor(
    private readonly options: BoxEditsOptions,
    tracked: readonly TrackedBox[],
  ) {
    super();
    this.l10n = options.l10n ?? englishLocalizer;
    for (const box of tracked) this.boxes.set(box.key, box);
  }

  /** Reads an image's boxes. Throws `FleetError`. */
  static async open(options: BoxEditsOptions): Promise<BoxEdits> {
    return new BoxEdits(options, await options.journal.track(await options.image.read()));
  }

  get canUndo(): boolean {
    return this.history.canUndo;
  }

  get canRedo(): boolean {
    return this.history.canRedo;
  }

  get isSaving(): boolean {
    return this.running !== undefined;
  }

  /** True if a change could not be saved and is not being retried. */
  get hasProblems(): boolean {
    return [...this.boxes.values()].some(({ problem }) => problem !== undefined);
  }

  shown(): readonly ShownBox[] {
    return [...this.boxes.values()].flatMap((box) => this.show(box) ?? []);
  }

  /** Adds a box. @throws FleetError `invalid` */
  add(key: string, content: BoxContent): void {
    if (this.boxes.has(key)) {
      throw new FleetError('invalid', this.l10n.t('This box was already drawn.'));
    }
    const valid = requireContent(content, this.l10n);
    this.boxes.set(key, { key, desired: undefined, stored: [] });
    this.act(key, valid);
  }

  /**
   * Moves, resizes, or renames a box. A box that a user changes no longer counts as a model's
   * prediction.
   */
  change(key: string, { label, corners, gesture }: BoxChange): void {
    const { desired } = this.box(key);
    if (!desired) return;
    const content = { ...desired, ...corners, label: label ?? desired.label };
    const after = requireContent({ ...content, confidence: undefined }, this.l10n);
    if (isSameContent(after, { ...desired, confidence: undefined })) {
      // Confirming a label saves the box again if another user has removed it since the boxes were
      // read.
      if (label !== undefined) this.setDesired(key, desired);
      return;
    }
    this.act(key, after, gesture);
  }

  remove(key: string): void {
    if (this.box(key).desired) this.act(key, undefined);
  }

  undo(): void {
    const step = this.history.undo();
    if (step) this.setDesired(step.key, step.before);
  }

  redo(): void {
    const step = this.history.redo();
    if (step) this.setDesired(step.key, step.after);
  }

  /** Retries a change that failed or is incomplete. */
  retry(key: string): void {
    if (!this.box(key).problem) return;
    this.setDesired(key, this.box(key).desired);
  }

  retryAll(): void {
    for (const { key } of this.boxes.values()) this.retry(key);
  }

  /**
   * Discards a change that failed or is incomplete, and restores the box's state on the service.
   */
  revert(key: string): void {
    const { problem, stored } = this.box(key);
    if (problem) this.act(key, stored[0]?.content);
  }

  /** Saves debounced changes immediately, and waits for all saves to finish. */
  async flush(): Promise<void> {
    this.flushPending();
    while (this.running) {
      await this.running;
      this.flushPending();
    }
  }

  /** Reads the boxes again to apply other users' changes. Throws `FleetError`. */
  async refresh(): Promise<void> {
    for (let read = 0; read < MAX_READS; read += 1) {
      await this.flush();
      const { changes } = this;
      const boxes = await this.options.image.read();
      if (changes !== this.changes) continue;
      this.adopt(boxes);
      return;
    }
  }

  /** Applies other users' changes if the boxes can be read and there are no new changes to save. */
  private async catchUp(): Promise<void> {
    const { changes } = this;
    const boxes = await this.options.image.read().catch(() => undefined);
    if (!boxes || changes !== this.changes) return;
    this.isBehind = false;
    this.adopt(boxes);
  }

  private adopt(boxes: readonly BoundingBox[]): void {
    const there = new Set(boxes.map(({ id }) => id));
    for (const box of this.boxes.values()) {
      box.stored = box.stored.filter(({ id }) => there.has(id));
      // Another user has completed the incomplete change.
      if (isStored(box)) box.problem = undefined;
      if (box.problem || !box.desired || box.stored.length > 0) continue;
      this.boxes.delete(box.key);
      this.history.removeSteps(box.key);
    }
    const isKnown = this.known();
    for (const box of boxes.filter(({ id }) => !isKnown(id))) {
      const content = toBoxContent(box);
      const stored = [{ id: box.id, content }];
      this.boxes.set(box.id, { key: box.id, desired: content, stored });
    }
    this.changed.fire();
  }

  private act(key: string, after: BoxContent | undefined, gesture?: number): void {
    this.history.record({ key, before: this.box(key).desired, after, gesture });
    this.setDesired(key, after, gesture === undefined ? 'ready' : 'resting');
  }

  private setDesired(
    key: string,
    content: BoxContent | undefined,
    when: 'resting' | 'ready' = 'ready',
  ): void {
    const box = this.box(key);
    box.desired = content;
    box.problem = undefined;
    this.changes += 1;
    // Ends the current debounce delay because the box moves again or another action follows.
    this.rest.abort();
    for (const other of this.waiting.keys()) this.waiting.set(other, 'ready');
    this.waiting.set(key, when);
    this.running ??= this.run();
    this.changed.fire();
  }

  private async run(): Promise<void> {
    // Changes made in the same tick are processed together.
    await Promise.resolve();
    for (let key = await this.next(); key !== undefined; key = await this.next()) {
      await this.store(key);
      this.changed.fire();
    }
    if (this.isBehind) await this.catchUp();
    // New changes might have arrived since the last check.
    this.running = this.waiting.size > 0 ? this.run() : undefined;
    this.changed.fire();
  }

  /** Returns the next box to save, after its debounce delay. */
  private async next(): Promise<string | undefined> {
    for (;;) {
      const [first] = this.waiting;
      if (!first) return undefined;
      const [key, when] = first;
      if (when === 'ready') return key;
      await this.debounce(key);
    }
  }

  private async debounce(key: string): Promise<void> {
    this.rest = new AbortController();
    const { signal } = this.rest;
    try {
      await this.options.sleep(DEBOUNCE_MS, signal);
      if (!signal.aborted) this.waiting.set(key, 'ready');
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  private flushPending(): void {
    for (const key of this.waiting.keys()) this.waiting.set(key, 'ready');
    this.rest.abort();
  }

  private async store(key: string): Promise<void> {
    const box = this.box(key);
    const { image, journal } = this.options;
    this.waiting.delete(key);
    this.busy = key;
    this.changed.fire();
    try {
      const isBehind = await storeBox(box, { image, journal, isKnown: this.known() });
      this.isBehind ||= isBehind;
    } catch (error) {
      // If the user has changed the box again, that change is saved separately.
      if (!this.waiting.has(key)) box.problem = { kind: 'refused', error: toFleetError(error) };
    } finally {
      this.busy = undefined;
    }
    this.changes += 1;
  }

  private show(box: TrackedBox): ShownBox | undefined {
    const { key, desired, stored, problem } = box;
    const right = rightOne(box);
    const content = desired ?? (problem && stored[0]?.content);
    if (!content) return undefined;
    const state = this.getBoxState(box);
    const leftovers = state === 'half' ? stored.filter((one) => one !== right) : [];
    return { key, content, deleted: !desired, state, problem, leftovers };
  }

  private getBoxState(box: TrackedBox): ShownBox['state'] {
    if (box.problem) return rightOne(box) && box.stored.length > 1 ? 'half' : 'failed';
    const isWorkedOn = this.busy === box.key || this.waiting.has(box.key);
    return isWorkedOn || !isStored(box) ? 'saving' : 'saved';
  }

  private known(): (boxId: string) => boolean {
    const ids = new Set(
      [...this.boxes.values()].flatMap(({ stored }) => stored.map(({ id }) => id)),
    );
    return (boxId) => ids.has(boxId);
  }

  private box(key: string): TrackedBox {
    const box = this.boxes.get(key);
    if (!box) throw new FleetError('notFound', this.l10n.t('This box is no longer in the image.'));
    return box;
  }
}
