import type { LogPart } from '../../src/shared/logs';

/** Number of colors in the style sheet. */
const COLORS = 8;

export interface PartColor {
  readonly label: string;
  /** Color number, starting at 0, that stays the same while the part exists. */
  readonly color: number;
}

/** The label and color that distinguish the lines of each part. */
export class PartColors {
  private readonly colorsByKey = new Map<string, PartColor>();

  /** True if there is more than one part, so their lines must be distinguishable. */
  get several(): boolean {
    return this.colorsByKey.size > 1;
  }

  /** Length of the longest label in characters. */
  get labelLength(): number {
    return Math.max(0, ...[...this.colorsByKey.values()].map(({ label }) => label.length));
  }

  /** Lines of a removed part have no label. */
  of(key: string): PartColor {
    return this.colorsByKey.get(key) ?? { label: '', color: 0 };
  }

  /** Sets the current parts; returns true if this changes the appearance of lines. */
  set(parts: readonly LogPart[]): boolean {
    const keys = new Set(parts.map(({ key }) => key));
    const before = JSON.stringify([...this.colorsByKey]);
    for (const key of this.colorsByKey.keys()) if (!keys.has(key)) this.colorsByKey.delete(key);
    for (const { key, label } of parts) {
      this.colorsByKey.set(key, {
        label,
        color: this.colorsByKey.get(key)?.color ?? this.freeColor(),
      });
    }
    return JSON.stringify([...this.colorsByKey]) !== before;
  }

  private freeColor(): number {
    const taken = [...this.colorsByKey.values()].map(({ color }) => color);
    const uses = (color: number): number => taken.filter((one) => one === color).length;
    const colors = Array.from({ length: COLORS }, (_, color) => color);
    return colors.reduce((best, color) => (uses(color) < uses(best) ? color : best), 0);
  }
}
