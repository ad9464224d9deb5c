import { element } from '../ui/elements';
import { localeTag } from '../ui/localeTag';

/** Renders a date for a locale, with the full date and time as a tooltip. */
export function renderDay(milliseconds: number, locale: string): HTMLElement {
  const date = new Date(milliseconds);
  const tag = localeTag(locale);
  return element(
    'time',
    {
      datetime: date.toISOString(),
      title: date.toLocaleString(tag, { dateStyle: 'full', timeStyle: 'medium' }),
    },
    date.toLocaleDateString(tag, { dateStyle: 'medium' }),
  );
}
