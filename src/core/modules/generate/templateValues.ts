import type { ModelIdentifiers } from './modelIdentifiers';
import type { ModuleApi } from './moduleApi';
import type { ModuleChoices } from './moduleChoices';

/** Entry in a manifest's list of models. */
export interface ModelEntry {
  readonly api: string;
  readonly model: string;
  readonly short_description: string;
}

/** Returns the manifest entry for a model. */
export function describeModel({
  namespace,
  moduleName,
  modelName,
  api,
}: ModuleChoices): ModelEntry {
  return {
    api: api.triplet,
    model: `${namespace}:${moduleName}:${modelName}`,
    // Omit the name of the model, which defaults to the name of the API, to avoid "sensor sensor".
    short_description: `The ${api.title} of ${moduleName}.`,
  };
}

/**
 * Returns the values for the placeholders in templates. User-defined names are inserted into code
 * only as quoted strings.
 */
export function templateValues(
  choices: ModuleChoices,
  { className, constant, fileName }: ModelIdentifiers,
): Readonly<Record<string, string>> {
  const { namespace, moduleName, modelName, api } = choices;
  const { model: modelTriplet, short_description: descriptionText } = describeModel(choices);
  return {
    moduleName,
    modelTriplet,
    descriptionText,
    className,
    fileName,
    modelConstant: constant,
    apiTitle: /^(?:a|e|i|o|u)/.test(api.title) ? `an ${api.title}` : `a ${api.title}`,
    apiTriplet: api.triplet,
    packageName: quoted(moduleName.toLowerCase().replace(/^[^a-z0-9]+/, '') || 'module'),
    moduleId: quoted(`${namespace}:${moduleName}`),
    model: quoted(modelTriplet),
    api: quoted(api.triplet),
    description: quoted(descriptionText),
    modelDescription: quoted(descriptionText),
    exampleName: quoted(`${modelName}-1`),
    exampleAttributes: exampleAttributes(api),
    attributeRows: attributeRows(api),
  };
}

function exampleAttributes({ attributes }: ModuleApi): string {
  const examples = Object.entries(attributes).map(([name, { example }]) => [name, example]);
  return JSON.stringify(Object.fromEntries(examples), undefined, 2).replaceAll('\n', '\n  ');
}

function attributeRows({ attributes }: ModuleApi): string {
  const rows = Object.entries(attributes).map(([name, { says }]) => `| \`${name}\` | ${says} |`);
  return rows.length > 0 ? rows.join('\n') : '| – | It has none until you read some. |';
}

/** Quotes a text as a string that is valid in JSON, TypeScript, and Python. */
function quoted(text: string): string {
  return JSON.stringify(text);
}
