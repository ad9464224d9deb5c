import { element } from '../ui/elements';

/** Between two announcements of how many lines came, in milliseconds. */
const PAUSE = 30_000;

/** Tells people who do not see the panel what happens: at once what is rare, now and then what is not. */
export class Announcer {
  readonly element = element('div', { class: 'visually-hidden', role: 'status' });
  private lines = 0;
  private waiting: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly linesText: (count: number) => string) {}

  say(text: string): void {
    this.element.textContent = text;
  }

  /** So many lines came. */
  countLines(count: number): void {
    this.lines += count;
    if (this.lines === 0) return;
    this.waiting ??= setTimeout(() => {
      this.waiting = undefined;
      this.say(this.linesText(this.lines));
      this.lines = 0;
    }, PAUSE);
  }
}
