// Are JSON reports what the schema says, and does the schema describe all that is in them?
//
//   NODE_MODULES=DIR node validate-schema.mjs SCHEMA.json REPORT.json...
//
// Each report is tried twice: with the schema as it is, which lets readers meet fields that were added later, and with
// a strict one, in which a field that the schema does not name is a mistake. Ends with "N passed, N failed".
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';

const need = createRequire(join(resolve(process.env.NODE_MODULES), 'x.js'));
const Ajv2020 = need('ajv/dist/2020').default;

const [schemaFile, ...reports] = process.argv.slice(2);
const schema = JSON.parse(readFileSync(schemaFile, 'utf8'));

// The same schema, with no field in any object but those it names.
function strict(node) {
  if (Array.isArray(node)) return node.map(strict);
  if (node === null || typeof node !== 'object') return node;
  const copy = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, strict(value)]));
  if (copy.type === 'object' && copy.properties && !('additionalProperties' in copy)) copy.additionalProperties = false;
  return copy;
}

let passed = 0, failed = 0;
function check(what, problems) {
  if (problems.length === 0) {
    passed++;
    return;
  }
  failed++;
  console.log(`FAILED ${what}`);
  for (const p of problems.slice(0, 8)) console.log(`    ${p}`);
  if (problems.length > 8) console.log(`    and ${problems.length - 8} more`);
}

// strictTypes knows no ["string", "null"] without a complaint; ajv's other opinions on a schema are errors here.
const options = { allErrors: true, strict: true, allowUnionTypes: true, strictRequired: false, strictTypes: false };
const forms = [['', new Ajv2020(options).compile(schema)], [' (strictly)', new Ajv2020(options).compile(strict(schema))]];
for (const file of reports)
  for (const [how, validate] of forms) {
    let report;
    try {
      report = JSON.parse(readFileSync(file, 'utf8'));
    } catch (e) {
      check(file + how, [e.message]);
      continue;
    }
    validate(report);
    check(file + how, (validate.errors ?? []).map((e) => `${e.instancePath || '/'} ${e.message} ${JSON.stringify(e.params)}`));
  }
// A schema that accepts anything would pass, too.
for (const wrong of [{}, [], { schema: 2 }, { schema: 1, bundles: [] }, { schema: 1, bundle: {}, causes: [] }])
  check(`the schema refuses ${JSON.stringify(wrong)}`, forms[0][1](wrong) ? ['it does not'] : []);
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed ? 1 : 0);
