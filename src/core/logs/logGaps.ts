import type { PartId } from '../model/ids';
import { microsOf } from '../model/micros';
import type { FollowedPart } from './followedPart';
import type { LogBuffer } from './logBuffer';
import type { LogGap } from './logItem';

/** A gap of which lines are still to be looked for, also once that has failed. */
interface OpenGap {
  gap: LogGap;
  readonly waiting: Set<PartId>;
  /** Those whose lines were looked for in vain. */
  readonly failed: Set<PartId>;
}

/** Marks where lines are missing, and what has become of it. */
export class LogGaps {
  private readonly open = new Set<OpenGap>();

  constructor(
    private readonly buffer: LogBuffer,
    private readonly now: () => Date,
  ) {}

  /** The connection of a part is lost. Parts that lose it together share a mark. */
  lose(part: FollowedPart): void {
    this.mark(part, 'break');
  }

  /** The service has left out lines of a part. */
  miss(part: FollowedPart): void {
    this.mark(part, 'missed');
  }

  /** What a part has missed was looked for, and so many lines were found. */
  found(part: FollowedPart, lines: number): void {
    this.settle(part, lines, false);
  }

  /** So many lines were found of what a part has missed, and more may be missing by now. */
  foundSome(part: FollowedPart, lines: number): void {
    const open = [...this.open].find(({ waiting }) => waiting.has(part.id));
    if (open) open.gap = this.update(open.gap, { loaded: open.gap.loaded + lines });
  }

  /** What a part has missed is not looked for any more, or in vain. */
  leave(part: FollowedPart, state: 'filled' | 'failed'): void {
    this.settle(part, 0, state === 'failed');
  }

  /** Marks a stretch that nobody has asked for. Times are in microseconds since 1970. */
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

  /** What is still missing of a stretch begins later now, or nothing is missing. */
  shrink(gap: LogGap, micros: number | undefined): void {
    this.buffer.removeGap(gap);
    if (micros === undefined || gap.endMicros === undefined || micros >= gap.endMicros) return;
    this.skip(gap.parts, micros, gap.endMicros);
  }

  /** Shows how it stands with a gap. */
  update(gap: LogGap, change: Partial<LogGap>): LogGap {
    const changed = { ...gap, ...change };
    this.buffer.updateGap(changed);
    return changed;
  }

  /** Looks for the lines of a gap of a part once more. */
  reopen(gap: LogGap): void {
    for (const open of this.open) if (open.gap.key === gap.key) this.open.delete(open);
    this.open.add({
      gap: this.update(gap, { state: 'loading' }),
      waiting: new Set(gap.parts),
      failed: new Set(),
    });
  }

  clear(): void {
    this.open.clear();
  }

  private mark(part: FollowedPart, reason: 'break' | 'missed'): void {
    part.mayMiss();
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

  private settle(part: FollowedPart, lines: number, failed: boolean): void {
    for (const open of this.open) {
      const wasMeant = [open.waiting.delete(part.id), open.failed.delete(part.id)];
      if (!wasMeant.includes(true)) continue;
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
    return microsOf(this.now());
  }
}
