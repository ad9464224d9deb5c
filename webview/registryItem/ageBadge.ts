import { element } from '../ui/elements';
import { fillPlaceholders } from '../ui/fillPlaceholders';
import { localeTag } from '../ui/localeTag';
import type { ItemContext } from './itemContext';

/**
 * Badge that shows when a possibly outdated item was loaded. It is part of a line that always
 * exists.
 */
export class AgeBadge {
  readonly element = element('span', { class: 'badge age', hidden: '' });

  constructor(private readonly context: ItemContext) {}

  /** @param readAt in milliseconds since 1970; undefined if the item is up to date */
  show(readAt: number | undefined): void {
    this.element.hidden = readAt === undefined;
    if (readAt === undefined) return;
    const { strings, locale } = this.context;
    const time = new Date(readAt);
    const tag = localeTag(locale);
    this.element.textContent = fillPlaceholders(
      strings.loadedAt,
      time.toLocaleTimeString(tag, { timeStyle: 'short' }),
    );
    this.element.title = fillPlaceholders(
      strings.loadedAtHint,
      time.toLocaleString(tag, { dateStyle: 'full', timeStyle: 'medium' }),
    );
  }
}
