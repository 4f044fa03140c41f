# Writes man/stordx-facts.5: the page with what schema.sql, metrics.def and keys.def say in the places of @...@.
#
#   awk -f man/facts.awk -v schema=FILE -v metrics=FILE -v keys=FILE man/stordx-facts.5.in
#
# Every table, column, view, metric and key is in it by construction. Lines stay short and sentences begin lines, as mandoc -Tlint asks.

# Running text for mdoc: nothing at the start of a line is a request, no backslash is an escape.
function text(words,    n, i, list, line, word) {
    gsub(/\\/, "\\e", words)
    gsub(/FreeBSD/, "Free\\\\\\&BSD", words) # words for which mdoc has macros, kept apart
    gsub(/\(\)/, "\\\\\\&()", words)
    n = split(words, list, " ")
    line = ""
    for (i = 1; i <= n; i++) {
        word = list[i]
        if (line == "" && word ~ /^[.']/) word = "\\&" word
        if (line != "" && length(line) + length(word) > 75) {
            print line
            line = word ~ /^[.']/ ? "\\&" word : word
        } else line = line == "" ? word : line " " word
        # "... 4 KiB. Some" begins a line; "e.g." and names do not end in a letter and a full stop before a capital
        if (word ~ /[a-z0-9)"'`][.!?]$/ && i < n) {
            print line
            line = ""
        }
    }
    if (line != "") print line
}

function flush_item() {
    if (item == "") return
    print ".It " item
    if (said != "") text(said)
    item = said = ""
}

# "a INTEGER, b TEXT NOT NULL," as "Va a , b"; nothing for a constraint of the table.
function columns(code,    n, i, list, out, name) {
    sub(/\)( WITHOUT ROWID)?;.*/, "", code)
    if (code ~ /^ *PRIMARY KEY/) return ""
    n = split(code, list, ",")
    out = ""
    for (i = 1; i <= n; i++) {
        name = list[i]
        sub(/^ */, "", name)
        sub(/ .*/, "", name)
        if (name ~ /^[a-z][a-z0-9_]*$/) out = out (out == "" ? "" : " , ") name
    }
    return out == "" ? "" : "Va " out
}

function comment_of(line,    at) {
    at = index(line, "--")
    if (!at) return ""
    line = substr(line, at + 2)
    sub(/^ */, "", line)
    return line
}

function tables(    line, code, name, in_table, head, rest, got) {
    while ((getline line < schema) > 0) {
        if (line ~ /^CREATE TABLE /) {
            name = line
            sub(/^CREATE TABLE /, "", name)
            sub(/ .*/, "", name)
            print ".Ss " name
            head = comment_of(line)
            code = line
            sub(/^[^(]*\(/, "", code)
            sub(/ *--.*/, "", code)
            if (code ~ /[a-z]/) { # all in one line
                if (head != "") text(head)
                print ".Bl -tag -width Ds -compact"
                print ".It " columns(code)
                print ".El"
                continue
            }
            in_table = 1
            opened = 0
            continue
        }
        if (!in_table) continue
        code = line
        sub(/ *--.*/, "", code)
        if (code !~ /[^ ]/) { # the comment of the line before goes on
            if (!opened) head = head " " comment_of(line)
            else said = said " " comment_of(line)
            continue
        }
        if (!opened) {
            if (head != "") text(head)
            print ".Bl -tag -width Ds -compact"
            opened = 1
        }
        got = columns(code)
        if (got != "") {
            flush_item()
            item = got
            said = comment_of(line)
        }
        if (code ~ /\)( WITHOUT ROWID)?;/) {
            flush_item()
            print ".El"
            in_table = 0
        }
    }
    close(schema)
}

function views(    line, name, said) {
    print ".Bl -tag -width Ds"
    while ((getline line < schema) > 0) {
        if (line ~ /^--/) said = said " " comment_of(line)
        else if (line ~ /^CREATE VIEW /) {
            name = line
            sub(/^CREATE VIEW /, "", name)
            sub(/[ (].*/, "", name)
            print ".It Li " name
            if (said != "") text(said)
            said = ""
        } else said = ""
    }
    print ".El"
    close(schema)
}

# The lines of the head of schema.sql, each "* ..." a paragraph.
function conventions(    line, said) {
    print ".Bl -bullet"
    while ((getline line < schema) > 0 && line ~ /^--/) {
        line = comment_of(line)
        if (line ~ /^\* /) {
            if (said != "") text(said)
            said = substr(line, 3)
            print ".It"
        } else if (said != "") said = said " " line
    }
    text(said)
    print ".El"
    close(schema)
}

function metric_list(    line, out) {
    while ((getline line < metrics) > 0)
        if (line ~ /^METRIC\(/) {
            sub(/^METRIC\(/, "", line)
            sub(/,.*/, "", line)
            out = out (out == "" ? "" : " , ") line
            if (length(out) > 60) {
                print ".Va " out " ,"
                out = ""
            }
        }
    if (out != "") print ".Va " out
    close(metrics)
}

function key_list(    line, part, n, key, said) {
    print ".Bl -tag -width Ds -compact"
    while ((getline line < keys) > 0)
        if (line ~ /^KEY\("/) {
            key = said = line
            sub(/^KEY\("/, "", key)
            sub(/".*/, "", key)
            while (said !~ /"\)/ && (getline part < keys) > 0) said = said part # on two lines
            sub(/^KEY\("[^"]*",[^"]*"/, "", said)
            sub(/"\).*/, "", said)
            gsub(/" *"/, "", said)
            gsub(/\\"/, "\"", said)
            print ".It Li " key
            text(said)
        }
    print ".El"
    close(keys)
}

/^@CONVENTIONS@$/ { conventions(); next }
/^@TABLES@$/ { tables(); next }
/^@METRICS@$/ { metric_list(); next }
/^@VIEWS@$/ { views(); next }
/^@KEYS@$/ { key_list(); next }
{ print }
