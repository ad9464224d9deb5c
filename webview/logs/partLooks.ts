import type { LogPart } from '../../src/shared/logs';

/** How many colors there are in the styles. */
const COLORS = 8;

export interface PartLook {
  readonly label: string;
  /** A number from 0 on that stays the same as long as the part is there. */
  readonly color: number;
}

/** What the lines of each part are told apart by: a label, and a color besides. */
export class PartLooks {
  private readonly looks = new Map<string, PartLook>();

  /** Whether lines have to be told apart. */
  get several(): boolean {
    return this.looks.size > 1;
  }

  /** How many characters the longest label has. */
  get labelLength(): number {
    return Math.max(0, ...[...this.looks.values()].map(({ label }) => label.length));
  }

  /** Lines of a part that is gone have no label. */
  of(key: string): PartLook {
    return this.looks.get(key) ?? { label: '', color: 0 };
  }

  /** Takes over the parts there are; tells whether lines look different now. */
  set(parts: readonly LogPart[]): boolean {
    const keys = new Set(parts.map(({ key }) => key));
    const before = JSON.stringify([...this.looks]);
    for (const key of this.looks.keys()) if (!keys.has(key)) this.looks.delete(key);
    for (const { key, label } of parts) {
      this.looks.set(key, { label, color: this.looks.get(key)?.color ?? this.freeColor() });
    }
    return JSON.stringify([...this.looks]) !== before;
  }

  private freeColor(): number {
    const taken = [...this.looks.values()].map(({ color }) => color);
    const uses = (color: number): number => taken.filter((one) => one === color).length;
    const colors = Array.from({ length: COLORS }, (_, color) => color);
    return colors.reduce((best, color) => (uses(color) < uses(best) ? color : best), 0);
  }
}
