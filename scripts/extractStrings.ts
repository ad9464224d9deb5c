import { writeFileSync } from 'node:fs';
import { fromRoot } from './support/paths';
import { localizedStrings } from './support/localizedStrings';

/** Writes `l10n/bundle.l10n.json`, the source of translations. */
const bundle = Object.fromEntries(localizedStrings().map((text) => [text, text]));
writeFileSync(fromRoot('l10n', 'bundle.l10n.json'), `${JSON.stringify(bundle, undefined, 2)}\n`);
