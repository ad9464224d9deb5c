/** Name that can be used on a command line, such as `--name=value`. */
const NAME = /^[A-Za-z_][\w-]*$/;
/**
 * Arguments that the service passes to every training script: its data file and the model's output
 * folder.
 */
const OF_SERVICE: ReadonlySet<string> = new Set(['dataset_file', 'model_output_directory']);

/** Returns true if a training script can have an argument with this name. */
export function isArgumentName(name: string): boolean {
  return NAME.test(name);
}

/** Returns true if the service itself sets this argument, so users can't set it. */
export function isServiceArgument(name: string): boolean {
  return OF_SERVICE.has(name);
}
