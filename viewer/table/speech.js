// The reader's language: messages of the catalogue `table` by their English, numbers as the language writes them.

const LOCALES = { en: "en", zh: "zh-Hans" };

// Mark a message that is said later, by `gettext` of a variable.
function N_(message) {
  return message;
}

function speech(catalogues, lang) {
  const known = catalogues[lang] ?? {};
  const numbers = new Intl.NumberFormat(LOCALES[lang]);
  const plurals = new Intl.PluralRules(LOCALES[lang]);
  const number = (value) => numbers.format(value);
  const fill = (message, values) =>
    message.replace(/\{(\w+)\}/g, (whole, name) => {
      const value = values[name];
      return typeof value === "number" ? number(value) : String(value ?? whole);
    });
  const gettext = (message, values = {}) => fill(known[message] ?? message, values);
  const ngettext = (one, many, count, values = {}) => {
    const forms = known[one] ?? [one, many];
    const form = forms.length > 1 && plurals.select(count) !== "one" ? forms[1] : forms[0];
    return fill(form, { count, ...values });
  };
  const signed = (amount) => (amount ? `${amount > 0 ? "+" : "−"}${number(Math.abs(amount))}` : "0");
  const seconds = new Intl.NumberFormat(LOCALES[lang], { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  return { gettext, ngettext, number, signed, seconds: (ms) => seconds.format(ms / 1000) };
}
