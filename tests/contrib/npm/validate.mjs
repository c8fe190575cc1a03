// SPDX-License-Identifier: MIT
// validate.mjs: holds the Kubernetes objects of standard input, a JSON array, against the API's published schemas, which the package kubernetes-models
// carries: as validators, and as declarations. The former let pass what they don't know, as the API does too: a field that is spelt wrongly. So every
// key is looked up in the latter. Prints what is wrong, and fails then.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";

const modules = join(dirname(new URL(import.meta.url).pathname), "node_modules");
const faults = [];

// What a declaration file says of its interface: its fields' types, and where the types that it names are declared.
function declaration(file) {
  const text = readFileSync(file, "utf8");
  const body = text.match(/export (?:interface|type) \w+[^{=]*=?\s*\{([\s\S]*?)\n\}/);
  const fields = new Map(), places = new Map();
  for (const [, names, from] of text.matchAll(/import \{([^}]*)\} from "([^"]*)"/g))
    for (const name of names.split(","))
      places.set(name.trim(), from.startsWith(".") ? join(dirname(file), from.replace(/\.js$/, "") + ".d.ts") : join(modules, from + ".d.ts"));
  for (const [, name, type] of (body ? body[1] : "").matchAll(/^    "([^"]+)"\??: ([\s\S]*?);$/gm)) fields.set(name, type);
  return { fields, places };
}

// Fields of value that its type doesn't have; a map of strings, a quantity and the like have no fields of their own.
function walk(value, file, path) {
  const { fields, places } = declaration(file);
  if (fields.size === 0 || typeof value !== "object") return;
  for (const [key, inner] of Object.entries(value)) {
    const type = fields.get(key), name = type?.match(/^(?:Array<)?(I\w+)>?$/)?.[1];
    if (type === undefined) faults.push(`${path}.${key}: there is no such field`);
    else if (name && places.has(name))
      [inner].flat().forEach((one, i) => walk(one, places.get(name), `${path}.${key}${Array.isArray(inner) ? `[${i}]` : ""}`));
  }
}

for (const object of JSON.parse(readFileSync(0, "utf8"))) {
  const name = `${object.kind} ${object.metadata?.name}`, module = `${object.apiVersion}/${object.kind}`;
  try {
    const kinds = await import(join(modules, "kubernetes-models", `${module}.js`));
    new kinds[object.kind](object).validate();
    walk(object, join(modules, "kubernetes-models", `${module}.d.ts`), name);
  } catch (error) {
    faults.push(`${name}: ${error.message}`);
  }
}
faults.forEach((fault) => console.log(fault));
process.exit(faults.length ? 1 : 0);
