import { element } from '../ui/elements';
import { localeTag } from '../ui/localeTag';

/** A day as people of a language write it, with the whole moment as a hint. */
export function dayText(milliseconds: number, locale: string): HTMLElement {
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
