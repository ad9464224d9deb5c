/** A name that a command line can say: `--name=value`. */
const NAME = /^[A-Za-z_][\w-]*$/;
/** What the service tells every training script: where its data is, and where the model belongs. */
const OF_SERVICE: ReadonlySet<string> = new Set(['dataset_file', 'model_output_directory']);

/** Whether a training script can be told something under this name. */
export function isArgumentName(name: string): boolean {
  return NAME.test(name);
}

/** Whether the service itself says this to scripts, so that nobody else can. */
export function isArgumentOfService(name: string): boolean {
  return OF_SERVICE.has(name);
}
