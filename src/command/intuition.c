/* SPDX-License-Identifier: MIT */
/* What people type who don't know the command line: fillers, questions, and lines that a program printed. */
#include "command/command.h"
#include "explain/knowledge.h"

bool word_is_filler(const char *word, bool asked)
{
    return text_in_list("show,list,lst,ls,dev", word) ||
           (asked && text_in_list("on,of,for,the,in,at,status,info,env,frames,settings,config", word));
}

bool word_is_small(const char *word)
{
    return word_is_filler(word, true) ||
           text_in_list(
               "why,is,are,what,which,where,how,who,does,do,can,could,should,my,me,it,there,a,an,to,with,get,"
               "use,used,using,index,so,not,enabled,configured,set,up,now,here,and,or,many,much,goes,go,find,"
               "no,too,"
               "one,only,but,still,than,gets,keeps,don't,doesn't,won't,can't,cannot",
               word);
}

static bool opens_question(const char *word)
{
    return text_in_list("why,is,are,what,which,where,how,does,do,can,who,get,print,display,find,my,the", word);
}

bool word_is_name(const char *word)
{
    return strpbrk(word, "0123456789.:/*?[,!") != NULL;
}

static size_t count_words(char *const *words, size_t count)
{
    size_t n = 0;
    while (n < count && words[n][0] != '-')
        n++;
    return n;
}

bool words_are_message(char *const *words, size_t count)
{
    enum { WORDS_LEAST = 3 };
    struct bytes line = { 0 };
    struct reading reading;
    for (size_t i = 0; i < count; i++)
        bytes_printf(&line, "%s%s", i ? " " : "", words[i]);
    bool is = count >= WORDS_LEAST && line_read(line.data, line.len, &reading);
    bytes_free(&line);
    return is;
}

/* Of several, the one that says more: "gid" and "nccl" ask what 'gids --for nccl' answers. */
static void take_subject(struct sentence *sentence, char *const *words, size_t count)
{
    const struct instead *instead = instead_find(words, count);
    if (instead) {
        sentence->instead = instead;
        return;
    }
    const struct command *command = command_meant(words[0]);
    if (command && command->group < GROUP_TEST)
        sentence->command = command;
    else
        sentence->unknown = sentence->unknown ? sentence->unknown : words[0];
}

/* "what is pfc" asks for a word's meaning, "what is wrong" doesn't. */
static bool asks_for_meaning(const struct sentence *sentence, char *const *words)
{
    const char *last = words[sentence->nwords - 1];
    bool doctors = sentence->instead &&
                   text_starts(sentence->instead->roce ? sentence->instead->roce : "", "doctor");
    return strcmp(words[0], "what") == 0 && sentence->nwords <= 3 && !sentence->nnames && !doctors &&
           !word_is_small(last) && !(sentence->instead && !sentence->instead->roce);
}

/* Two words that stand in instead.txt as they are, with nothing but names behind them. */
static const struct instead *known_whole(char *const *words, size_t count)
{
    const struct instead *row = count > 1 ? instead_find(words, count) : NULL;
    if (!row || !strchr(row->words, ' '))
        return NULL;
    for (size_t i = 2; i < count; i++)
        if (!word_is_name(words[i]) && !word_is_filler(words[i], true))
            return NULL;
    return row;
}

struct sentence sentence_read(char *const *words, size_t count, bool is_command, char **names)
{
    struct sentence sentence = { .nwords = count_words(words, count) };
    if (sentence.nwords < 2)
        return (struct sentence){ 0 };
    sentence.instead = known_whole(words, sentence.nwords);
    if (!sentence.instead && (is_command || (!opens_question(words[0]) && !word_is_name(words[0]))))
        return (struct sentence){ 0 };
    for (size_t i = sentence.instead ? 2 : 0; i < sentence.nwords; i++) {
        if (word_is_small(words[i]))
            continue;
        if (word_is_name(words[i]) && !command_find(words[i]))
            names[sentence.nnames++] = words[i];
        else
            take_subject(&sentence, words + i, sentence.nwords - i);
    }
    if (asks_for_meaning(&sentence, words)) {
        sentence = (struct sentence){ .command = command_find("explain"),
                                      .nwords = sentence.nwords,
                                      .nnames = 1 };
        names[0] = words[sentence.nwords - 1];
    }
    return sentence;
}
