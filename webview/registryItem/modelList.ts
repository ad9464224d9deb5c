import * as l10n from '@vscode/l10n';
import type { PageModel } from '../../src/shared/registryItem';
import { element } from '../ui/elements';
import type { ItemContext } from './itemContext';
import { markdownView } from './markdown/markdownView';

interface ModelListOptions {
  /** Names of the expanded models. */
  readonly unfolded: ReadonlySet<string>;
  readonly onFold: (model: string, isUnfolded: boolean) => void;
}

/** Level of a model's heading. */
const LEVEL = 3;

/**
 * Creates the list of a module's models. A model's description is rendered when the user expands
 * the model.
 */
export function modelList(
  models: readonly PageModel[],
  context: ItemContext,
  options: ModelListOptions,
): HTMLElement[] {
  return models.map((model) => drawModel(model, context, options));
}

function drawModel(
  model: PageModel,
  context: ItemContext,
  { unfolded, onFold }: ModelListOptions,
): HTMLElement {
  const isUnfolded = unfolded.has(model.model);
  const heading = element(
    'summary',
    { 'data-focus': `model ${model.model}` },
    element('h3', { dir: 'auto' }, model.model),
    element('span', { class: 'api' }, l10n.t('API: {0}', model.api)),
    model.description === ''
      ? undefined
      : element('span', { class: 'short', dir: 'auto' }, model.description),
  );
  const made = element('details', { class: 'model', open: isUnfolded ? '' : undefined }, heading);
  const fill = (): void => {
    if (made.childElementCount === 1) made.append(renderModelDescription(model, context));
  };
  if (isUnfolded) fill();
  made.addEventListener('toggle', () => {
    if (made.open) fill();
    if (made.open !== unfolded.has(model.model)) onFold(model.model, made.open);
  });
  return made;
}

function renderModelDescription({ model, text }: PageModel, { host }: ItemContext): HTMLElement {
  if (!text) return element('p', { class: 'faint' }, l10n.t('This model has no documentation.'));
  return markdownView(text, {
    above: LEVEL,
    focusKey: `text ${model}`,
    openLink: (url) => host.send('openLink', { url }),
    openText: () => host.send('openText', { model }),
  });
}
