import { element } from '../ui/elements';

/** Minimum time in milliseconds between two announcements of new lines. */
const PAUSE = 30_000;

/** Announces events to screen readers: rare ones immediately, frequent ones periodically. */
export class Announcer {
  readonly element = element('div', { class: 'visually-hidden', role: 'status' });
  private lines = 0;
  private waiting: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly linesText: (count: number) => string) {}

  announce(text: string): void {
    this.element.textContent = text;
  }

  /** Adds new lines to the count that is announced next. */
  countLines(count: number): void {
    this.lines += count;
    if (this.lines === 0) return;
    this.waiting ??= setTimeout(() => {
      this.waiting = undefined;
      this.announce(this.linesText(this.lines));
      this.lines = 0;
    }, PAUSE);
  }
}
