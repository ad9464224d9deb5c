import type { PartId } from '../model/ids';
import { toMicros } from '../model/timestamp';
import type { PartLogState } from './partLogState';
import type { LogBuffer } from './logBuffer';
import type { LogGap } from './logItem';

/** Gap whose lines must still be loaded, or couldn't be loaded. */
interface OpenGap {
  gap: LogGap;
  readonly waiting: Set<PartId>;
  /** Parts whose lines couldn't be loaded. */
  readonly failed: Set<PartId>;
}

/** Tracks the gaps with missing lines and their states. */
export class LogGaps {
  private readonly open = new Set<OpenGap>();

  constructor(
    private readonly buffer: LogBuffer,
    private readonly now: () => Date,
  ) {}

  /**
   * Records that a part's connection was lost. Parts that lose their connections at the same time
   * share a gap.
   */
  openForLostConnection(part: PartLogState): void {
    this.mark(part, 'break');
  }

  /** Records that the service dropped some of a part's lines. */
  openForDroppedLines(part: PartLogState): void {
    this.mark(part, 'missed');
  }

  /**
   * Records that loading a part's missing lines has finished.
   * @param lines number of lines found.
   */
  addLoaded(part: PartLogState, lines: number): void {
    this.completePart(part, lines, false);
  }

  /**
   * Records that some of a part's missing lines were found, even though other lines might be
   * missing again.
   */
  foundSome(part: PartLogState, lines: number): void {
    const open = [...this.open].find(({ waiting }) => waiting.has(part.id));
    if (open) open.gap = this.update(open.gap, { loaded: open.gap.loaded + lines });
  }

  /**
   * Records that a part's missing lines are no longer being loaded, or that loading them failed.
   */
  close(part: PartLogState, state: 'filled' | 'failed'): void {
    this.completePart(part, 0, state === 'failed');
  }

  /**
   * Adds a gap for a time range that the user hasn't requested. Times are in microseconds since
   * 1970.
   */
  skip(parts: readonly PartId[], micros: number, endMicros: number): void {
    const gap = {
      reason: 'notLoaded',
      parts,
      micros,
      endMicros,
      state: 'open',
      loaded: 0,
    } as const;
    this.buffer.addGap(gap, true);
  }

  /**
   * Returns the gaps in which a time, in microseconds since 1970, lies and whose lines the user can
   * load, or is loading.
   * @param parts parts of which at least one must be affected.
   */
  getGapsAround(micros: number, parts: readonly PartId[]): readonly LogGap[] {
    return this.buffer.gaps.filter(
      (gap) =>
        gap.micros < micros &&
        micros < (gap.endMicros ?? -Infinity) &&
        (gap.reason === 'notLoaded' || gap.state === 'failed') &&
        gap.parts.some((part) => parts.includes(part)),
    );
  }

  /**
   * Records that the user's request has loaded all of the parts' lines in a time range. Shortens,
   * splits, or removes these parts' gaps. Times are in microseconds since 1970.
   */
  removeRange(parts: readonly PartId[], startMicros: number, endMicros: number): void {
    for (const gap of this.buffer.gaps) {
      const end = gap.endMicros ?? Infinity;
      const isAffected = gap.reason === 'notLoaded' && gap.micros < endMicros && startMicros < end;
      if (!isAffected || !gap.parts.every((part) => parts.includes(part))) continue;
      if (gap.micros < startMicros) this.update(gap, { endMicros: startMicros });
      else this.buffer.removeGap(gap);
      if (endMicros < end) this.skip(gap.parts, endMicros, end);
    }
  }

  /** Updates a gap's displayed state. */
  update(gap: LogGap, change: Partial<LogGap>): LogGap {
    // The gap might have been split or one of its parts removed since the caller read it.
    const changed = { ...(this.buffer.findGap(gap) ?? gap), ...change };
    this.buffer.updateGap(changed);
    return changed;
  }

  /**
   * Marks a gap so that its lines are loaded again.
   * @param parts parts whose lines will be loaded. The gap waits for each of them.
   */
  reopen(gap: LogGap, parts: readonly PartId[]): void {
    for (const open of this.open) if (open.gap.key === gap.key) this.open.delete(open);
    this.open.add({
      gap: this.update(gap, { state: 'loading' }),
      waiting: new Set(parts),
      failed: new Set(),
    });
  }

  /** Removes a part from its gaps, and removes the gaps that affect only this part. */
  removePart(part: PartLogState): void {
    this.close(part, 'filled');
    const withoutPart = (gap: LogGap): LogGap => ({
      ...gap,
      parts: gap.parts.filter((id) => id !== part.id),
    });
    for (const open of this.open) open.gap = withoutPart(open.gap);
    for (const gap of this.buffer.gaps.filter(({ parts }) => parts.includes(part.id))) {
      const { parts } = withoutPart(gap);
      if (parts.length > 0) this.update(gap, { parts });
      else this.buffer.removeGap(gap);
    }
  }

  clear(): void {
    this.open.clear();
  }

  private mark(part: PartLogState, reason: 'break' | 'missed'): void {
    part.mightMiss();
    const shared = [...this.open].find(
      ({ gap, waiting, failed }) =>
        gap.reason === reason &&
        (failed.has(part.id) ||
          (gap.endMicros === undefined && (reason === 'break' || waiting.has(part.id)))),
    );
    if (!shared) {
      const micros = Math.max(part.presentMicros, this.nowMicros());
      const gap = this.buffer.addGap(
        { reason, parts: [part.id], micros, endMicros: undefined, state: 'loading', loaded: 0 },
        false,
      );
      this.open.add({ gap, waiting: new Set([part.id]), failed: new Set() });
    } else if (!shared.waiting.has(part.id)) {
      shared.failed.delete(part.id);
      shared.waiting.add(part.id);
      const parts = [...new Set([...shared.gap.parts, part.id])];
      shared.gap = this.update(shared.gap, { parts, state: 'loading', endMicros: undefined });
    }
  }

  private completePart(part: PartLogState, lines: number, failed: boolean): void {
    for (const open of this.open) {
      const removed = [open.waiting.delete(part.id), open.failed.delete(part.id)];
      if (!removed.includes(true)) continue;
      if (failed) open.failed.add(part.id);
      const loaded = open.gap.loaded + lines;
      if (open.waiting.size > 0) {
        open.gap = this.update(open.gap, { loaded });
        continue;
      }
      const endMicros = open.gap.endMicros ?? Math.max(open.gap.micros, this.nowMicros());
      const state = open.failed.size > 0 ? 'failed' : 'filled';
      open.gap = this.update(open.gap, { loaded, endMicros, state });
      if (state === 'filled') this.open.delete(open);
    }
  }

  private nowMicros(): number {
    return toMicros(this.now());
  }
}
