import * as l10n from '@vscode/l10n';
import { TRANSLATIONS_ID } from '../../src/shared/translations';

// Loads the translations that the host added to the page. An app's entry point imports this file
// first, so that `l10n.t` returns translations from the beginning.
const json = document.getElementById(TRANSLATIONS_ID)?.textContent;
if (json !== undefined) l10n.config({ contents: json });
