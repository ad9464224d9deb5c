import { formatDuration } from '../../src/shared/formatDuration';
import type { PageJob } from '../../src/shared/training';
import { element } from '../ui/elements';
import { localeTag } from '../ui/localeTag';

/** Formatters for times and durations of jobs, localized. */
export interface JobTimes {
  /** Formats a timestamp, with the full date and time as a tooltip. */
  renderTime(at: number): HTMLElement;
  /** Formats a timestamp briefly for a list. */
  renderShortTime(at: number, now: number): HTMLElement;
  /** Formats the time of day. */
  clock(at: number): string;
  /** Formats a duration using its two largest units. */
  duration(milliseconds: number): string;
}

export function jobTimes(locale: string): JobTimes {
  const tag = localeTag(locale);
  const short = new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeStyle: 'short' });
  const full = new Intl.DateTimeFormat(tag, { dateStyle: 'full', timeStyle: 'long' });
  const clock = new Intl.DateTimeFormat(tag, { timeStyle: 'medium' });
  const time = { hour: 'numeric', minute: '2-digit' } as const;
  const thisYear = new Intl.DateTimeFormat(tag, { month: 'short', day: 'numeric', ...time });
  const earlier = new Intl.DateTimeFormat(tag, { dateStyle: 'medium' });
  const createTimeElement = (at: number, format: Intl.DateTimeFormat): HTMLElement => {
    const attributes = { datetime: new Date(at).toISOString(), title: full.format(at) };
    return element('time', attributes, format.format(at));
  };
  return {
    renderTime: (at) => createTimeElement(at, short),
    renderShortTime: (at, now) => createTimeElement(at, isSameYear(at, now) ? thisYear : earlier),
    clock: (at) => clock.format(at),
    duration: (milliseconds) => formatDuration(Math.max(0, milliseconds), tag),
  };
}

function isSameYear(at: number, now: number): boolean {
  return new Date(at).getFullYear() === new Date(now).getFullYear();
}

/**
 * Returns the training time of a job in milliseconds; undefined if the job hasn't started or the
 * time is unknown.
 */
export function trainedFor(
  { startedAt, endedAt, state }: PageJob,
  now: number,
): number | undefined {
  if (startedAt === undefined) return undefined;
  if (endedAt !== undefined) return endedAt - startedAt;
  return state === 'running' || state === 'canceling' ? now - startedAt : undefined;
}
