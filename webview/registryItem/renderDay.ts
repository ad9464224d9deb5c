import { element } from '../ui/elements';
import { localeTag } from '../ui/localeTag';

/** Renders a date for a locale, with the full date and time as a tooltip. */
export function renderDay(milliseconds: number, locale: string): HTMLElement {
  const moment = new Date(milliseconds);
  const tag = localeTag(locale);
  return element(
    'time',
    {
      datetime: moment.toISOString(),
      title: moment.toLocaleString(tag, { dateStyle: 'full', timeStyle: 'medium' }),
    },
    moment.toLocaleDateString(tag, { dateStyle: 'medium' }),
  );
}
