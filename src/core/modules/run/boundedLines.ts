/**
 * Fraction by which the number of lines can exceed the limit before the surplus is dropped in one
 * step. Dropping each line individually would move all other lines every time.
 */
const SLACK = 0.25;

interface Limits {
  readonly lines: number;
  readonly characters: number;
}

/** Buffer for the last lines of output of unknown length. */
export class BoundedLines {
  private buffered: string[] = [];
  private characters = 0;
  private droppedLines = 0;

  constructor(private readonly limits: Limits) {}

  /** Buffered lines, at most a quarter more than the limit. */
  get lines(): readonly string[] {
    return this.buffered;
  }

  /** Number of dropped lines before the buffered lines. */
  get dropped(): number {
    return this.droppedLines;
  }

  add(line: string): void {
    this.buffered.push(line);
    this.characters += line.length + 1;
    const { lines, characters } = this.limits;
    const isOver = (share: number): boolean =>
      this.buffered.length > share * lines || this.characters > share * characters;
    if (!isOver(1 + SLACK)) return;
    let first = 0;
    // Keep at least the last line.
    while (
      first < this.buffered.length - 1 &&
      (this.buffered.length - first > lines || this.characters > characters)
    ) {
      this.characters -= (this.buffered[first]?.length ?? 0) + 1;
      first += 1;
    }
    this.buffered = this.buffered.slice(first);
    this.droppedLines += first;
  }

  /** Counts lines that were dropped elsewhere before these lines were added. */
  addDropped(count: number): void {
    this.droppedLines += count;
  }

  /** Returns all buffered lines and clears the buffer. */
  take(): { readonly lines: readonly string[]; readonly dropped: number } {
    const taken = { lines: this.buffered, dropped: this.droppedLines };
    [this.buffered, this.characters, this.droppedLines] = [[], 0, 0];
    return taken;
  }
}
