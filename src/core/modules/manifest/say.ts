import type { Localizer } from '../../../base/localizer';

/** Formats one kind of message. Arguments that a message doesn't use are empty. */
export type Say = (l10n: Localizer, first: string, second: string, third: string) => string;
