// Package corpora makes the data sets that models are trained on from copies of their public
// sources. It fetches nothing. The sources stand below one folder; NOTICE names and credits them.
// Of each set this is a folder of its name with the files train.txt, valid.txt and test.txt, one
// text in each line (labelled sets: .tsv files, whose last column is the text):
//
//	simple         TinyStories, whole stories in a small child's words
//	storybooks     African Storybook Project and Pratham Books
//	tatoeba        short everyday sentences of Tatoeba
//	captions       descriptions of pictures from Microsoft COCO
//	children       39 children's books of Standard Ebooks
//	fairytales     31 books of fairy tales and readers in the public domain
//	questions      questions of CommonsenseQA
//	chat           small talk from Topical-Chat
//	tatoeba-zh     simplified Chinese sentences of Tatoeba
//	storybooks-zh  African Storybook Project in Chinese
//	chat-zh        dialogues of CrossWOZ
//	negation       sentences of a grammar of our own, with feelings
//
// and of these, where there is no such folder, the repository that they come from:
//
//	standardebooks/REPOSITORY/src/epub/text/*.xhtml    stories
//	common-voice/server/data/en/*.txt                  everyday
//	common-voice/server/data/zh-CN, zh-TW/*.txt        chinese
//	oos-eval/data/data_full.json, domains.json         intents
//	GoEmotions-pytorch/data/original/*.tsv, labels.txt feelings
//
// Texts that hold a sentence of the lists in engine/gaps are left out, whatever word stands in
// its gap: models are judged by these sentences and must not have seen them.
//
// What is certain of how the last five sets were made for the shipped models: their sources and
// commits; of everyday and chinese, that all their lines pass the rules here and lie where Split puts
// them; the original splits of intents and feelings, and the rule by which several labels become
// one, which gives every line of feelings. What is not: the list of words whose lines were
// dropped, the first names that stand for [NAME], which file names of stories were hashed, where
// long paragraphs were cut, and the order of the lines. So sets that are made from the
// repositories are alike, not the same: a training on them does not give the shipped weights bit for bit.
package corpora
