import * as vscode from 'vscode';
import { Disposable } from '../../../../base/disposable';
import { BoundedLines } from '../../../../core/modules/run/boundedLines';
import { formatNumber } from '../../../platform/quantityText';

const MAX_LINES = 10_000;
const MAX_CHARACTERS = 2_000_000;
/** Time in milliseconds during which a module's lines are collected before they are written. */
const GATHER_MS = 100;
/**
 * Minimum time in milliseconds between rewrites. After lines have been dropped, every update
 * rewrites the entire output.
 */
const REWRITE_MS = 1_000;

export type OutputTarget = Pick<vscode.OutputChannel, 'append' | 'replace' | 'show' | 'dispose'>;

/**
 * Output of local runs. Stores only the last lines and the number of dropped lines before them,
 * because a module can write without limit.
 */
export class RunOutput extends Disposable {
  private readonly buffered = new BoundedLines({ lines: MAX_LINES, characters: MAX_CHARACTERS });
  /** Number of trailing lines that are not in the channel yet. */
  private unwritten = 0;
  /** Number of dropped lines at the time of the last write to the channel. */
  private writtenDropped = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly channel: OutputTarget) {
    super();
    this.register(channel);
    this.register({ dispose: () => clearTimeout(this.timer) });
  }

  /** Immediately appends a line to the output, after all pending lines. */
  appendLine(line: string): void {
    this.add(line);
    this.flush();
  }

  /**
   * Adds lines that a module wrote, with a short delay.
   * @param dropped number of lines that were dropped before them
   */
  log(lines: readonly string[], dropped: number): void {
    if (dropped > 0) this.dropUpTo(dropped);
    for (const line of lines) this.add(line);
    const isCut = this.buffered.dropped !== this.writtenDropped;
    this.timer ??= setTimeout(() => this.flush(), isCut ? REWRITE_MS : GATHER_MS);
  }

  show(): void {
    this.flush();
    this.channel.show(true);
  }

  /**
   * Drops all stored lines, because later lines were lost in transit and the output would hide that
   * gap.
   */
  private dropUpTo(count: number): void {
    const { lines, dropped } = this.buffered.take();
    this.buffered.addDropped(dropped + lines.length + count);
    this.unwritten = 0;
  }

  private add(line: string): void {
    this.buffered.add(line);
    this.unwritten += 1;
  }

  private flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    const { lines, dropped } = this.buffered;
    if (dropped !== this.writtenDropped) {
      this.channel.replace(toText([describeDropped(dropped), ...lines]));
      this.writtenDropped = dropped;
    } else if (this.unwritten > 0) this.channel.append(toText(lines.slice(-this.unwritten)));
    this.unwritten = 0;
  }
}

function toText(lines: readonly string[]): string {
  return `${lines.join('\n')}\n`;
}

function describeDropped(count: number): string {
  return count === 1
    ? vscode.l10n.t('[1 earlier line was dropped]')
    : vscode.l10n.t('[{0} earlier lines were dropped]', formatNumber(count));
}
